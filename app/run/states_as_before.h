#pragma once
/// A run that goes on from a state keeps states as the run did that wrote it.

#include <string>

#include "app/run/run_options.h"
#include "app/run/scene_run.h"
#include "app/run/state_start.h"

namespace riffle {

/// "" where a run from the one state goes through the other: picture, end, probes and names may differ. Otherwise what `theirs` is,
/// "a state of a scene with other events".
std::string difference_of_scenes(const SavedScene& theirs, const SavedScene& ours);

/// Fills in the interval and the file of the states, as far as no option gives them.
void keep_states_as_before(RunOptions& options, const StateStart& start);

/// A file of states that no option names may be replaced by this run only if nothing is lost by it: it is the state that the run
/// goes on from, or one of the same scene with the same files that is no later. Their pictures, ends, probes and names may
/// differ. @throws InputError for any other
void refuse_to_replace_a_later_state(const Outputs& outputs, const RunOptions& options, const RunStart& from);

}  // namespace riffle
