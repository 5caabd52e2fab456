#pragma once
/// A list to choose one entry from.

#include <string>

namespace riffle::desktop::ui {

struct ComboLook {
  float width = 0;       ///< [pixel], as ImGui::SetNextItemWidth takes it; 0: Dear ImGui's
  float behind = 0;      ///< [pixel] of the line that something behind it has
  bool tall = false;     ///< room for many entries
  bool preview = true;   ///< false: only the arrow
  std::string tip = {};  ///< shown while the list is closed; "" for none
};

/// Draw it where it is made; its entries follow while it lives:
///   const ui::Combo combo("device", "##device", in_use);
///   if (combo.open()) ... if (combo.entry("cpu", "the processor", true)) ...
class Combo {
 public:
  /// @param name for InterfaceTrace @param label Dear ImGui's @param chosen shown while the list is closed
  Combo(const std::string& name, const char* label, const std::string& chosen, const ComboLook& look = {});
  ~Combo();
  Combo(const Combo&) = delete;
  Combo& operator=(const Combo&) = delete;

  bool open() const { return open_; }

  /// @param word its name for InterfaceTrace is "<the combo's>.<word>" @param chosen it is the present choice
  /// @param help a tip; "" for none
  /// @param enabled false: it is grey and cannot be chosen
  /// @return whether the user chooses it now
  bool entry(const std::string& word, const std::string& label, bool chosen, const std::string& help = "",
             bool enabled = true) const;

 private:
  std::string name_;
  bool open_;
};

}  // namespace riffle::desktop::ui
