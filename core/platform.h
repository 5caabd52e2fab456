#pragma once
/// What one source for two devices needs from the compiler.

#if defined(__CUDACC__)
#define RIFFLE_HD __host__ __device__
#define RIFFLE_INLINE __host__ __device__ __forceinline__
#else
#define RIFFLE_HD
#define RIFFLE_INLINE inline __attribute__((always_inline))
#endif

/// Before a loop: never unrolled by nvcc. Left to itself it unrolls loops of few turns, and their remainders take the time.
#if defined(__CUDA_ARCH__)
#define RIFFLE_NO_UNROLL _Pragma("unroll 1")
#else
#define RIFFLE_NO_UNROLL
#endif

/// Before a loop whose arrays are to be registers: unrolled by nvcc, however large its body.
#if defined(__CUDACC__)
#define RIFFLE_UNROLL _Pragma("unroll")
#else
#define RIFFLE_UNROLL
#endif

#if defined(__CUDA_ARCH__)
#define RIFFLE_ON_GPU 1
#else
#define RIFFLE_ON_GPU 0
#endif
