#version 450 core
// The area of a solid of a 2-D scene.

uniform vec3 color;  // sRGB

layout(location = 0) out vec4 pixel;

void main() { pixel = vec4(color, 1.0); }
