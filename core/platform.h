#pragma once
/// What one source for two devices needs from the compiler.

#if defined(__CUDACC__)
#define RIFFLE_HD __host__ __device__
#define RIFFLE_INLINE __host__ __device__ __forceinline__
#else
#define RIFFLE_HD
#define RIFFLE_INLINE inline __attribute__((always_inline))
#endif

#if defined(__CUDA_ARCH__)
#define RIFFLE_ON_GPU 1
#else
#define RIFFLE_ON_GPU 0
#endif
