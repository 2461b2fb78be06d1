using System.Buffers;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Checks the requested configuration of a stream and fills in defaults; errors are in nats-server's words.</summary>
internal static class StreamConfigValidator
{
    /// <summary>Maximum length of a name in bytes.</summary>
    public const int MaxNameBytes = 255;

    /// <summary>The error for subjects that are too costly for <see cref="SubjectOverlaps"/> to compare.</summary>
    public const string TooCostly = "too many subjects with wildcards to check for overlaps";

    private const int MaxDescriptionBytes = 4 * 1024;
    private const int MaxMetadataBytes = 128 * 1024;
    private const int MaxReplicas = 5;
    private static readonly SearchValues<char> NotInNames = SearchValues.Create(" \t\r\n\f.*>\\/");
    private static readonly TimeSpan ShortestTime = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan DefaultDuplicateWindow = TimeSpan.FromMinutes(2);

    /// <summary>An error about a configuration.</summary>
    public static ApiError Invalid(string why) => ApiErrors.StreamInvalidConfigF.With("err", why);

    /// <summary>Whether a text is valid as the name of a stream or a consumer.</summary>
    public static bool IsName(string name)
        => name.Length > 0 && name.AsSpan().IndexOfAny(NotInNames) < 0;

    /// <summary>Checks a configuration.</summary>
    /// <param name="account">The account of the stream.</param>
    /// <param name="config">The requested configuration; on success with its defaults.</param>
    /// <returns>The first problem, or null.</returns>
    public static ApiError? Validate(JetStreamAccount account, ref StreamConfig config)
        => CheckTexts(config)
            ?? FillNumbers(ref config)
            ?? FillTimes(account.Engine.Options, ref config)
            ?? CheckFeatures(ref config)
            ?? StreamSourceValidator.Validate(account, ref config)
            ?? CheckSubjects(ref config)
            ?? CheckAccount(account, config)
            ?? SubjectTransformValidator.Validate(ref config)
            ?? CheckPlacement(ref config);

    private static ApiError? CheckTexts(StreamConfig config)
    {
        if (!IsName(config.Name)) return Invalid(@"stream name is required and can not contain '.', '*', '>', '\', '/'");
        if (Encoding.UTF8.GetByteCount(config.Name) > MaxNameBytes) return Invalid($"stream name is too long, maximum allowed is {MaxNameBytes}");
        if (Encoding.UTF8.GetByteCount(config.Description ?? "") > MaxDescriptionBytes)
            return Invalid($"stream description is too long, maximum allowed is {MaxDescriptionBytes}");
        var metadataBytes = config.Metadata?.Sum(static pair => Encoding.UTF8.GetByteCount(pair.Key) + Encoding.UTF8.GetByteCount(pair.Value)) ?? 0;
        return metadataBytes > MaxMetadataBytes ? Invalid($"stream metadata exceeds maximum size of {MaxMetadataBytes} bytes") : null;
    }

    private static ApiError? FillNumbers(ref StreamConfig config)
    {
        if (config.Replicas > MaxReplicas) return Invalid($"maximum replicas is {MaxReplicas}");
        if (config.Replicas < 0) return ApiErrors.ReplicasCountCannotBeNegative;
        if (config.Pedantic)
        {
            var problem = config.MaxMessages < -1 ? "max_msgs"
                : config.MaxMessagesPerSubject < -1 ? "max_msgs_per_subject"
                : config.MaxBytes < -1 ? "max_bytes"
                : config.MaxMessageBytes < -1 ? "max_msg_size"
                : config.MaxConsumers < -1 ? "max_consumers"
                : null;
            if (problem is not null) return Pedantic($"{problem} must be set to -1");
        }
        config = config with
        {
            Replicas = Math.Max(config.Replicas, 1),
            MaxMessages = config.MaxMessages <= 0 ? -1 : config.MaxMessages,
            MaxMessagesPerSubject = config.MaxMessagesPerSubject <= 0 ? -1 : config.MaxMessagesPerSubject,
            MaxBytes = config.MaxBytes <= 0 ? -1 : config.MaxBytes,
            MaxMessageBytes = config.MaxMessageBytes <= 0 ? -1 : config.MaxMessageBytes,
            MaxConsumers = config.MaxConsumers <= 0 ? -1 : config.MaxConsumers,
            Subjects = config.SubjectList.Count == 0 ? null : config.Subjects,
            Sources = config.SourceList.Count == 0 ? null : config.Sources,
        };
        return null;
    }

    private static ApiError? FillTimes(JetStreamOptions options, ref StreamConfig config)
    {
        if (config.MaxAge < TimeSpan.Zero) return Invalid("max age can not be negative");
        if (config.MaxAge > TimeSpan.Zero && config.MaxAge < ShortestTime) return Invalid("max age needs to be >= 100ms");
        var limit = options.MaxDuplicateWindow;
        if (config.DuplicateWindow == TimeSpan.Zero && config.Mirror is null && config.SourceList.Count == 0)
        {
            var window = Nanoseconds.Of(DefaultDuplicateWindow);
            if (limit > TimeSpan.Zero && window > limit)
            {
                if (config.Pedantic) return Pedantic("duplicate window limits are higher than current limits");
                window = Nanoseconds.Of(limit);
            }
            if (config.MaxAge > TimeSpan.Zero && config.MaxAge < window)
            {
                if (config.Pedantic) return Pedantic("duplicate window cannot be bigger than max age");
                window = config.MaxAge;
            }
            config = config with { DuplicateWindow = window };
        }
        if (config.DuplicateWindow < TimeSpan.Zero) return Invalid("duplicates window can not be negative");
        if (config.MaxAge > TimeSpan.Zero && config.DuplicateWindow > config.MaxAge) return Invalid("duplicates window can not be larger then max age");
        if (limit > TimeSpan.Zero && config.DuplicateWindow > limit)
            return Invalid($"duplicates window can not be larger then server limit of {GoDuration.Format(limit)}");
        return config.DuplicateWindow > TimeSpan.Zero && config.DuplicateWindow < ShortestTime ? Invalid("duplicates window needs to be >= 100ms") : null;
    }

    private static ApiError? CheckFeatures(ref StreamConfig config)
    {
        if (config.DenyPurge && config.AllowRollup) return Invalid("roll-ups require the purge permission");
        if (config.AllowMessageCounter)
        {
            if (config.Discard == DiscardPolicy.New) return Invalid("counter stream cannot use discard new");
            if (config.AllowMessageTtl) return Invalid("counter stream cannot use message TTLs");
            if (config.AllowMessageSchedules) return Invalid("counter stream cannot use message schedules");
            if (config.Retention != StreamRetention.Limits) return Invalid("counter stream can only use limits retention");
        }
        if (config.DiscardNewPerSubject)
        {
            if (config.Discard != DiscardPolicy.New) return Invalid("discard new per subject requires discard new policy to be set");
            if (config.MaxMessagesPerSubject <= 0) return Invalid("discard new per subject requires max msgs per subject > 0");
        }
        return FillMarkers(ref config) ?? FillSchedules(ref config) ?? CheckPersistence(config);
    }

    private static ApiError? FillMarkers(ref StreamConfig config)
    {
        if (config.SubjectDeleteMarkerTtl < TimeSpan.Zero) return Invalid("subject delete marker TTL must not be negative");
        if (config.SubjectDeleteMarkerTtl == TimeSpan.Zero) return null;
        if (config.SubjectDeleteMarkerTtl < TimeSpan.FromSeconds(1)) return Invalid("subject delete marker TTL must be at least 1 second");
        if (config.Pedantic && !config.AllowMessageTtl) return Invalid("subject delete marker cannot be set if message TTLs are disabled");
        if (config.Pedantic && !config.AllowRollup) return Invalid("subject delete marker cannot be set if roll-ups are disabled");
        config = config with { AllowMessageTtl = true, AllowRollup = true, DenyPurge = config.AllowRollup && config.DenyPurge };
        return null;
    }

    private static ApiError? FillSchedules(ref StreamConfig config)
    {
        if (!config.AllowMessageSchedules) return null;
        if (config.Discard == DiscardPolicy.New) return Invalid("message scheduling cannot use discard new");
        if (config.Pedantic && !config.AllowRollup) return Invalid("message scheduling cannot be set if roll-ups are disabled");
        config = config with { AllowRollup = true, DenyPurge = config.AllowRollup && config.DenyPurge };
        return null;
    }

    private static ApiError? CheckPersistence(StreamConfig config)
    {
        if (config.PersistMode != PersistMode.Async) return null;
        if (config.Storage != StreamStorage.File) return Invalid("async persist mode is only supported on file storage");
        if (config.Replicas > 1) return Invalid("async persist mode is not supported on replicated streams");
        return config.AllowAtomicPublish ? Invalid("async persist mode is not supported with atomic batch publish") : null;
    }

    private static ApiError? CheckSubjects(ref StreamConfig config)
    {
        if (config.SubjectList.Count == 0)
        {
            if (config.Mirror is null && config.SourceList.Count == 0) config = config with { Subjects = [config.Name] };
            return null;
        }
        if (config.Mirror is not null) return ApiErrors.MirrorWithSubjects;
        var subjects = config.SubjectList;
        var overlaps = new SubjectOverlaps(subjects);
        for (var i = 0; i < subjects.Count; i++)
        {
            var subject = Encoding.UTF8.GetBytes(subjects[i]);
            if (!Subject.IsValid(subject)) return Invalid("invalid subject");
            if (subjects[i] == ">")
            {
                if (!config.NoAck) return Invalid("capturing all subjects requires no-ack to be true");
                if (config.Replicas != 1) return Invalid("capturing all subjects requires replicas of 1");
            }
            if (!config.NoAck && FindReserved(subject) is { } reserved) return reserved;
            if (overlaps.CollidesWithOther(subjects[i])) return Overlap(subjects, i);
        }
        return null;
    }

    // The subjects before it overlap with none, so the other one comes after it.
    private static ApiError Overlap(IReadOnlyList<string> subjects, int first)
    {
        var subject = Encoding.UTF8.GetBytes(subjects[first]);
        var other = subjects.Skip(first + 1).FirstOrDefault(other => Subject.Collide(Encoding.UTF8.GetBytes(other), subject));
        return Invalid(other is null ? TooCostly : $"subject {GoQuote.Quote(subjects[first])} overlaps with {GoQuote.Quote(other)}");
    }

    private static ApiError? FindReserved(byte[] subject)
    {
        if ((Subject.Collide(subject, "$JS.>"u8) || Subject.Collide(subject, "$JSC.>"u8) || Subject.Collide(subject, "$NRG.>"u8))
            && !Subject.Matches(subject, "$JS.EVENT.>"u8))
        {
            return Invalid("subjects that overlap with jetstream api require no-ack to be true");
        }
        return Subject.Collide(subject, "$SYS.>"u8) && !Subject.Matches(subject, "$SYS.ACCOUNT.>"u8)
            ? Invalid("subjects that overlap with system api require no-ack to be true")
            : null;
    }

    private static ApiError? CheckAccount(JetStreamAccount account, StreamConfig config)
    {
        if (account.Limits.MaxBytesRequired && config.MaxBytes <= 0) return ApiErrors.StreamMaxBytesRequired;
        var max = config.Storage == StreamStorage.Memory ? account.Limits.MaxMemoryStreamBytes : account.Limits.MaxFileStreamBytes;
        return max > 0 && config.MaxBytes > max ? ApiErrors.StreamMaxStreamBytesExceeded : null;
    }

    private static ApiError? CheckPlacement(ref StreamConfig config)
    {
        if (config.Placement == new Placement()) config = config with { Placement = null };
        return string.IsNullOrEmpty(config.Placement?.Preferred) ? null : Invalid("preferred server not permitted in placement");
    }

    private static ApiError Pedantic(string why) => ApiErrors.Pedantic.With("err", why);
}
