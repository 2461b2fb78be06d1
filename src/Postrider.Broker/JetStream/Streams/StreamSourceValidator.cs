using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Checks a stream's mirror and sources.</summary>
internal static class StreamSourceValidator
{
    private const string ApiPrefix = "$JS.API";

    /// <summary>The first problem, or null.</summary>
    public static ApiError? Validate(JetStreamAccount account, ref StreamConfig config)
    {
        if (config.Mirror is not null && CheckMirror(account, ref config) is { } mirror) return mirror;
        if (config.SourceList.Count > 0 && config.AllowMessageSchedules) return ApiErrors.SourceWithMsgSchedules;
        var names = new HashSet<string>(StringComparer.Ordinal);
        var consumers = new HashSet<string>(StringComparer.Ordinal);
        foreach (var source in config.SourceList)
            if (CheckSource(account, config, source, names, consumers) is { } problem) return problem;
        return CheckExternal(account, config) ?? CheckCycle(account, config);
    }

    private static ApiError? CheckMirror(JetStreamAccount account, ref StreamConfig config)
    {
        var mirror = config.Mirror!;
        if (config.FirstSequence > 0) return ApiErrors.MirrorWithFirstSeq;
        if (config.SubjectList.Count > 0) return ApiErrors.MirrorWithSubjects;
        if (config.SourceList.Count > 0) return ApiErrors.MirrorWithSources;
        if (config.AllowMessageCounter) return ApiErrors.MirrorWithCounters;
        if (config.AllowAtomicPublish) return ApiErrors.MirrorWithAtomicPublish;
        if (config.AllowBatchPublish) return ApiErrors.MirrorWithBatchPublish;
        if (config.AllowMessageSchedules) return ApiErrors.MirrorWithMsgSchedules;
        if (mirror.Consumer is { } consumer && !IsConsumer(consumer, mirror)) return ApiErrors.MirrorDurableConsumerCfgInvalid;
        var transforms = mirror.TransformList;
        if (IsBadSubject(mirror.FilterSubject ?? ""))
            return ApiErrors.MirrorInvalidSubjectFilter.With("err", $"subject filter '{mirror.FilterSubject}' for the mirror: invalid subject");
        if (!string.IsNullOrEmpty(mirror.FilterSubject) && transforms.Count > 0) return ApiErrors.MirrorMultipleFiltersNotAllowed;
        if (config.SubjectDeleteMarkerTtl > TimeSpan.Zero) return StreamConfigValidator.Invalid("subject delete markers forbidden on mirrors");
        var overlaps = new SubjectOverlaps(transforms.Select(static transform => transform.Source));
        for (var i = 0; i < transforms.Count; i++)
        {
            if (IsBadSubject(transforms[i].Source)) return ApiErrors.MirrorInvalidSubjectFilter.With("err", $"invalid subject {transforms[i].Source}");
            if (!SubjectTransformValidator.IsMapping(transforms[i], out var problem)) return ApiErrors.MirrorInvalidTransformDestination.With("err", problem);
            if (overlaps.CollidesWithOther(transforms[i].Source)) return ApiErrors.MirrorOverlappingSubjectFilters;
        }
        if (mirror.External is not null) return null;
        if (!StreamConfigValidator.IsName(mirror.Name)) return ApiErrors.MirrorInvalidStreamName;
        if (!account.TryGetStream(mirror.Name, out var origin)) return null;
        var max = origin.Config.MaxMessageBytes;
        if (config.MaxMessageBytes > 0 && max > 0 && config.MaxMessageBytes < max) return ApiErrors.MirrorMaxMessageSizeTooBig;
        if (config.Pedantic && config.MirrorDirect != origin.Config.AllowDirect)
            return ApiErrors.Pedantic.With("err", "origin stream has direct get set, mirror has it disabled");
        config = config with { MirrorDirect = origin.Config.AllowDirect };
        return null;
    }

    private static ApiError? CheckSource(
        JetStreamAccount account, StreamConfig config, StreamSource source, HashSet<string> names, HashSet<string> consumers)
    {
        if (source is null || !StreamConfigValidator.IsName(source.Name)) return ApiErrors.SourceInvalidStreamName;
        if (!names.Add(source.IndexName)) return ApiErrors.SourceDuplicateDetected;
        var transforms = source.TransformList;
        if (IsBadSubject(source.FilterSubject ?? ""))
            return ApiErrors.StreamCreate.With("err", $"subject filter '{source.FilterSubject}' for the source: invalid subject");
        if (!string.IsNullOrEmpty(source.FilterSubject) && transforms.Count > 0) return ApiErrors.SourceMultipleFiltersNotAllowed;
        foreach (var transform in transforms)
        {
            if (IsBadSubject(transform.Source)) return ApiErrors.SourceInvalidSubjectFilter.With("err", $"invalid subject {transform.Source}");
            if (!SubjectTransformValidator.IsMapping(transform, out var problem)) return ApiErrors.SourceInvalidTransformDestination.With("err", problem);
        }
        var overlaps = new SubjectOverlaps(transforms.Select(static transform => transform.Source));
        if (transforms.Any(transform => overlaps.IsCoveredByOther(transform.Source))) return ApiErrors.SourceOverlappingSubjectFilters;
        if (source.Consumer is { } consumer)
        {
            if (!IsConsumer(consumer, source)) return ApiErrors.SourceDurableConsumerCfgInvalid;
            if (!consumers.Add($"{source.Name} {consumer.Name}")) return ApiErrors.SourceDurableConsumerDuplicateDetected;
        }
        if (source.External is not null || !account.TryGetStream(source.Name, out var origin)) return null;
        var max = origin.Config.MaxMessageBytes;
        return config.MaxMessageBytes > 0 && max > 0 && config.MaxMessageBytes < max ? ApiErrors.SourceMaxMessageSizeTooBig : null;
    }

    private static ApiError? CheckCycle(JetStreamAccount account, StreamConfig first)
    {
        var open = new Queue<StreamConfig>([first]);
        var visited = new HashSet<string>(StringComparer.Ordinal);
        while (open.TryDequeue(out var config))
        {
            // Each stream is visited once, however many paths lead to it.
            if (!visited.Add(config.Name)) continue;
            foreach (var source in config.SourceList)
            {
                if (source.External is not null) continue;
                if (visited.Contains(source.Name))
                {
                    if (Overlaps(config.SubjectList, source.FilterSubject)) return StreamConfigValidator.Invalid("detected cycle");
                }
                else if (account.TryGetStream(source.Name, out var origin))
                {
                    open.Enqueue(origin.Config);
                }
            }
            if (config.Mirror is not { External: null } mirror) continue;
            if (visited.Contains(mirror.Name)) return StreamConfigValidator.Invalid("detected cycle");
            if (account.TryGetStream(mirror.Name, out var mirrored)) open.Enqueue(mirrored.Config);
        }
        return null;
    }

    // Deliveries must not be stored again, and the API of another account, domain or server must not overlap with this server's.
    private static ApiError? CheckExternal(JetStreamAccount account, StreamConfig config)
    {
        var sources = config.Mirror is { } mirror ? config.SourceList.Prepend(mirror).ToList() : [.. config.SourceList];
        var subjects = sources
            .Where(static source => source.External is null)
            .SelectMany(source => account.TryGetStream(source.Name, out var origin) ? origin.Config.SubjectList : [])
            .ToList();
        foreach (var prefix in Prefixes(sources, static external => external.DeliverPrefix))
        {
            if (!IsLiteral(prefix)) return ApiErrors.StreamInvalidExternalDeliverySubj.With("prefix", prefix);
            if (subjects.Find(subject => Collide(subject, $"{prefix}.{subject}")) is { } overlap)
                return ApiErrors.StreamExternalDelPrefixOverlaps.With("prefix", prefix).With("subject", overlap);
        }
        foreach (var prefix in Prefixes(sources, static external => external.ApiPrefix))
        {
            if (!IsLiteral(prefix)) return StreamConfigValidator.Invalid($"stream external api prefix {GoQuote.Quote(prefix)} must be a valid subject without wildcards");
            if (Collide(prefix, ApiPrefix)) return ApiErrors.StreamExternalApiOverlap.With("prefix", prefix).With("subject", ApiPrefix);
        }
        return null;
    }

    private static IEnumerable<string> Prefixes(List<StreamSource> sources, Func<ExternalStream, string> which)
        => sources.Where(static source => source.External is not null).Select(source => which(source.External!)).Where(static prefix => prefix.Length > 0);

    private static bool IsLiteral(string subject) => Subject.IsLiteral(Encoding.UTF8.GetBytes(subject));

    private static bool Overlaps(IReadOnlyList<string> subjects, string? filter)
        => string.IsNullOrEmpty(filter) || subjects.Any(subject => Collide(subject, filter));

    private static bool IsConsumer(SourceConsumer consumer, StreamSource source)
        => StreamConfigValidator.IsName(consumer.Name ?? "")
            && Subject.IsLiteral(Encoding.UTF8.GetBytes(consumer.DeliverSubject ?? ""))
            && source is { StartSequence: 0, StartTime: null }
            && string.IsNullOrEmpty(source.FilterSubject);

    private static bool IsBadSubject(string subject) => subject.Length > 0 && !Subject.IsValid(Encoding.UTF8.GetBytes(subject));

    private static bool Collide(string first, string second) => Subject.Collide(Encoding.UTF8.GetBytes(first), Encoding.UTF8.GetBytes(second));
}
