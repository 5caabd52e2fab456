/// A library that the loader finds and that answers like a driver before 495: it has an OptiX, of older versions.

extern "C" int optixQueryFunctionTable(int abi, unsigned, void*, const void**, void*, unsigned long) {
  constexpr int newest = 47, unsupported_abi_version = 7801;
  return abi <= newest ? 0 : unsupported_abi_version;
}
