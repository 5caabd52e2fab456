#version 450 core

uniform float optical_depth;

layout(location = 0) out vec4 sum;

void main() { sum = vec4(vec3(optical_depth), 1.0); }
