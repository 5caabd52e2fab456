#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/cli/bash_completion.h"
#include "app/cli/command_reference.h"
#include "app/cli/fish_completion.h"
#include "app/cli/man_page.h"
#include "app/cli/zsh_completion.h"
#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "core/text/output_files.h"

namespace riffle {

CommandRow manual_command() {
  return {"manual", "the manual page of this program, or a shell's completion of its command line",
          [](CLI::App& command) -> RunCommand {
            struct Options {
              std::string format, out;
            };
            const auto options = std::make_shared<Options>();
            command.add_option("FORMAT", options->format, "man: the page for `man -l FILE`; a shell: its completion")
                ->required()
                ->check(one_of("format", {"man", "bash", "zsh", "fish"}))
                ->type_name("man|bash|zsh|fish");
            command.add_option("--out", options->out, "the file; standard output when not given")
                ->check(output_path())
                ->type_name("FILE");
            return [options, &command](const std::string&) {
              const CLI::App* program = &command;
              while (program->get_parent()) program = program->get_parent();
              const std::vector<CommandText> commands = command_reference(*program);
              const std::string text = options->format == "man"    ? man_page(commands)
                                       : options->format == "bash" ? bash_completion(commands)
                                       : options->format == "zsh"  ? zsh_completion(commands)
                                                                   : fish_completion(commands);
              if (options->out.empty())
                fmt::print("{}", text);
              else
                write_text(options->out, text);
              return 0;
            };
          }};
}

}  // namespace riffle
