#pragma once
/// The buffers of one owner, each named once: they are made, freed and counted together.
///
///   Workspace memory_{device_};                      // declared before the buffers
///   Buffer<std::uint32_t>& order_ = memory_.make();  ///< (count)
///   std::size_t memory_bytes() const { return memory_.bytes(); }

#include <memory>
#include <vector>

#include "core/device/buffer.h"

namespace riffle {

/// May be moved: the buffers keep their addresses, so that references to them stay valid.
class Workspace {
  struct AnyBuffer {
    virtual ~AnyBuffer() = default;
    virtual std::size_t allocated() const = 0;
  };
  template <class T>
  struct Counted final : AnyBuffer, Buffer<T> {
    explicit Counted(const Device& device) : Buffer<T>(device) {}
    std::size_t allocated() const override { return Buffer<T>::bytes(); }
  };

  struct NewBuffer {
    Workspace& workspace;

    template <class T>
    operator Buffer<T>&() const {
      auto buffer = std::make_unique<Counted<T>>(workspace.device_);
      Buffer<T>& made = *buffer;
      workspace.buffers_.push_back(std::move(buffer));
      return made;
    }
  };

 public:
  explicit Workspace(const Device& device) : device_(device) {}

  /// An empty buffer, of the type of the reference that is initialised with it. It lives as long as the workspace.
  auto make() { return NewBuffer{*this}; }

  /// What all buffers have allocated now.
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& buffer : buffers_) sum += buffer->allocated();
    return sum;
  }

 private:
  Device device_;
  std::vector<std::unique_ptr<AnyBuffer>> buffers_;
};

}  // namespace riffle
