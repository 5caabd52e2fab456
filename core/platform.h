#pragma once
/// Compiler macros that let one source run on two devices.

#if defined(__CUDACC__)
#define RIFFLE_HD __host__ __device__
#define RIFFLE_INLINE __host__ __device__ __forceinline__
#else
#define RIFFLE_HD
#define RIFFLE_INLINE inline __attribute__((always_inline))
#endif

/// Put before a loop that nvcc must not unroll. By default it unrolls short loops, and their remainders take the time.
#if defined(__CUDA_ARCH__)
#define RIFFLE_NO_UNROLL _Pragma("unroll 1")
#else
#define RIFFLE_NO_UNROLL
#endif

/// Put before a loop whose arrays must stay in registers: nvcc unrolls it, however large its body is.
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
