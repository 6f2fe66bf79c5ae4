// One app of any dialect. Which keys it may have depends on its type, so the type is read first.
#include "base/limits.h"
#include "base/units.h"
#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

constexpr Nanos kWeek = 7 * 24 * 3600 * kSecond;
constexpr int kMillion = 1'000'000;

Read Class(PriorityClass& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    constexpr PriorityClass kAll[] = {PriorityClass::kLatency, PriorityClass::kThroughput,
                                      PriorityClass::kBackground};
    std::string word;
    CBENCH_TRY(Word(word, {Name(kAll[0]), Name(kAll[1]), Name(kAll[2])})(key, value));
    for (const PriorityClass c : kAll) {
      if (word == Name(c)) out = c;
    }
    return {};
  };
}

Read Size(AppSpec& app) {
  return [&app](std::string_view key, const Node& value) -> Result<> {
    const auto fits = [](int side) {
      return side >= limits::kMinImageSide && side <= limits::kImageSide &&
             side % limits::kImageSideStep == 0;
    };
    const auto size = ParsePixelSize(value.text);
    if (!size || !fits(size->width) || !fits(size->height)) {
      return ErrorAt(
          value.mark, "{} wants WIDTHxHEIGHT, each a multiple of {} from {} to {}, not {}", key,
          limits::kImageSideStep, limits::kMinImageSide, limits::kImageSide, Describe(value));
    }
    app.width = size->width;
    app.height = size->height;
    return {};
  };
}

// The original gives seconds without a unit.
Read Seconds(Nanos& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    double seconds = 0;
    CBENCH_TRY(Number(seconds, 0, 7 * 24 * 3600)(key, value));
    out = FromSeconds(seconds);
    return {};
  };
}

Read Command(std::vector<std::string>& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    CBENCH_TRY(Texts(out)(key, value));
    if (!out.empty() && !out.front().empty()) return {};
    return ErrorAt(value.mark, "{} wants a program and its arguments, like [sh, -c, make]", key);
  };
}

void Append(Fields& fields, const Fields& more) {
  fields.insert(fields.end(), more.begin(), more.end());
}

// Arrivals by the clock instead of one after another.
Field Every(AppSpec& app) { return {"every", Duration(app.every, kMillisecond, kWeek)}; }

Fields TypeFields(AppSpec& app) {
  switch (app.type) {
    case AppType::kChatbot:
    case AppType::kDeepResearch: {
      Fields fields = {{"prompts", Text(app.prompts)},
                       {"turns", Integer(app.turns, 1, 1000)},
                       {"max_tokens", Integer(app.max_tokens, 1, kMillion)},
                       {"ignore_eos", Bool(app.ignore_eos)}};
      if (app.type == AppType::kChatbot) fields.push_back(Every(app));
      return fields;
    }
    case AppType::kImageGen:
      return {{"prompts", Text(app.prompts)},
              {"steps", Integer(app.steps, 1, limits::kImageSteps)},
              {"size", Size(app)},
              {"guidance", Number(app.guidance, 0, 100)},
              Every(app)};
    case AppType::kLiveCaptions:
      return {{"audio", Text(app.audio)},
              {"segment", Duration(app.segment, 100 * kMillisecond, 30 * kSecond)},
              {"max_audio", Duration(app.max_audio, 100 * kMillisecond, kWeek)},
              {"realtime", Bool(app.realtime)}};
    case AppType::kSleep:
      return {{"duration", Duration(app.duration, 0, kWeek)}};
    case AppType::kExec:
      return {{"command", Command(app.command)}, {"ggml", Word(app.ggml, {"shared"})}};
    case AppType::kNull:
      break;
  }
  return {};
}

// Names that the original gives to the same things.
Fields OriginalFields(AppDraft& app) {
  AppSpec& spec = app.spec;
  Fields fields = {{"num_requests", Integer(spec.requests, 1, kMillion)},
                   {"mps", Integer(spec.partition_percent, 1, 100)},
                   {"device", Marked(Word(app.device, {"auto", "cpu", "gpu"}), app.device_mark)}};
  if (!EmbeddedEngineFor(spec.type).empty()) {
    Append(fields, {{"model", Marked(Text(app.model), app.model_mark)},
                    {"server_model", Marked(Text(app.model), app.model_mark)},
                    {"client_model", Ignore()}});  // the server's model under another name
  }
  if (spec.type == AppType::kLiveCaptions)
    fields.push_back({"client_command_file", Text(spec.audio)});
  if (spec.type == AppType::kSleep) fields.push_back({"sleep_time", Seconds(spec.duration)});
  return fields;
}

Fields AppFields(AppDraft& app, Dialect dialect) {
  AppSpec& spec = app.spec;
  Fields fields = {{"type", Ignore()},
                   {"requests", Integer(spec.requests, 1, kMillion)},
                   {"class", Class(spec.priority_class)},
                   {"weight", Number(spec.weight, 0.001, 1000)},
                   {"slo", SloReader(spec.type, spec.slo)},
                   {"timeout", Duration(spec.timeout, kMillisecond, kWeek)},
                   {"seed", Unsigned(spec.seed)},
                   {"partition", Integer(spec.partition_percent, 1, 100)}};
  Append(fields, TypeFields(spec));
  if (dialect != Dialect::kNative) {
    Append(fields, OriginalFields(app));
  } else if (!EmbeddedEngineFor(spec.type).empty()) {
    fields.push_back({"engine", Marked(Text(spec.engine), app.engine_mark)});
  }
  return fields;
}

Result<AppType> ReadType(std::string_view what, const Mark& mark, const Node& map) {
  CBENCH_TRY(WantMap(map, what));
  const Entry* entry = map.Find("type");
  if (!entry || IsLeftOut(entry->value)) {
    return ErrorAt(entry ? entry->mark : mark, "{} has no type; add type: with one of {}", what,
                   fmt::join(AppTypeNames(), ", "));
  }
  const Node& value = entry->value;
  const auto type = ParseAppType(value.text);
  if (type) return *type;
  return ErrorAt(value.mark, "unknown app type {}; {}", Describe(value),
                 Suggest(value.text, AppTypeNames()));
}

// A key of another type's apps is no spelling mistake; say whose it is.
Result<> CheckForeignKeys(std::string_view what, const Node& map, AppType type, Dialect dialect,
                          const Fields& fields) {
  for (const Entry& entry : map.entries) {
    if (FindField(fields, entry.key)) continue;
    for (const std::string_view other : AppTypeNames()) {
      AppDraft scratch;
      scratch.spec.type = *ParseAppType(other);
      if (!FindField(AppFields(scratch, dialect), entry.key)) continue;
      return ErrorAt(entry.mark, "{} is a setting of {} apps, and {} is a {}; remove it", entry.key,
                     other, what, Name(type));
    }
  }
  return {};
}

}  // namespace

Read Marked(Read read, Mark& mark) {
  return [read = std::move(read), &mark](std::string_view key, const Node& value) {
    mark = value.mark;
    return read(key, value);
  };
}

Result<AppDraft> ReadApp(const std::string& name, const Mark& mark, const Node& map,
                         Dialect dialect, const Fields& extra) {
  const std::string what = fmt::format("app {}", Quote(name));
  CBENCH_ASSIGN(const AppType type, ReadType(what, mark, map));
  AppDraft app;
  app.spec = DefaultApp(type);
  app.spec.name = name;
  app.spec.mark = mark;
  Fields fields = AppFields(app, dialect);
  Append(fields, extra);
  CBENCH_TRY(CheckForeignKeys(what, map, type, dialect, fields));
  CBENCH_TRY(
      ReadMap(map, what, fields, dialect == Dialect::kNative ? Nulls::kRefused : Nulls::kUnset));
  if (map.Find("model") && map.Find("server_model")) {
    return ErrorAt(map.Find("model")->mark, "{} names both model and server_model; keep one", what);
  }
  if (type == AppType::kExec && app.spec.command.empty()) {
    return ErrorAt(mark, "{} has no command; add command: [program, argument]", what);
  }
  if (app.spec.timeout == 0) app.spec.timeout = DefaultTimeout(app.spec);
  return app;
}

}  // namespace cbench::scenario
