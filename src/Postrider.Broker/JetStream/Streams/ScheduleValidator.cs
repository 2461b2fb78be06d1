using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Streams.Scheduling;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Checks the headers of scheduled messages, in nats-server's order. The stream's lock is held.</summary>
internal static class ScheduleValidator
{
    /// <summary>The first problem, or null.</summary>
    public static ApiError? Validate(StreamCore stream, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, in PublishHeaders found)
    {
        if (!found.HasSchedule) return null;
        var config = stream.Config;
        var now = stream.Services.Clock.Now;
        if (Schedule.FindNext(headers, now, now, out var at, out _) is { } invalid) return config.AllowMessageSchedules ? invalid : ApiErrors.MessageSchedulesDisabled;
        if (at != 0 && CheckSchedule(config, subject, headers, in found) is { } problem) return problem;
        return CheckScheduler(stream, subject, headers);
    }

    private static ApiError? CheckSchedule(StreamConfig config, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, in PublishHeaders found)
    {
        if (!config.AllowMessageSchedules) return ApiErrors.MessageSchedulesDisabled;
        var timeToLive = Find(headers, "Nats-Schedule-TTL"u8);
        if (!MessageTtl.TryParse(timeToLive, out _)) return ApiErrors.MessageSchedulesTTLInvalid;
        var rollup = Find(headers, "Nats-Schedule-Rollup"u8);
        if (!rollup.IsEmpty && !rollup.SequenceEqual("sub"u8)) return ApiErrors.MessageSchedulesRollupInvalid;
        if (!timeToLive.IsEmpty && !config.AllowMessageTtl) return ApiErrors.MessageTTLDisabled;
        var target = Find(headers, "Nats-Schedule-Target"u8);
        if (!Subject.IsLiteral(target) || target.SequenceEqual(subject) || !IsOfStream(config, target)) return ApiErrors.MessageSchedulesTargetInvalid;
        var source = Find(headers, "Nats-Schedule-Source"u8);
        if (!source.IsEmpty && (source.SequenceEqual(target) || source.SequenceEqual(subject) || !Subject.IsLiteral(source) || !IsOfStream(config, source)))
            return ApiErrors.MessageSchedulesSourceInvalid;
        return found.Rollup.IsEmpty || PublishValidator.ReadRollup(found.Rollup) == RollupKind.Subject ? null : ApiErrors.MessageSchedulesRollupInvalid;
    }

    // A client may only end a schedule, and must name it in this case.
    private static ApiError? CheckScheduler(StreamCore stream, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers)
    {
        var next = Find(headers, "Nats-Schedule-Next"u8);
        var scheduler = Find(headers, "Nats-Scheduler"u8);
        if (next.IsEmpty) return scheduler.IsEmpty ? null : ApiErrors.MessageSchedulesSchedulerInvalid;
        if (!next.SequenceEqual("purge"u8) || scheduler.SequenceEqual(subject) || !Subject.IsLiteral(scheduler)) return ApiErrors.MessageSchedulesSchedulerInvalid;
        if (!stream.Config.AllowMessageSchedules) return ApiErrors.MessageSchedulesDisabled;
        return stream.Store.Queries.TryReadLast(scheduler, out var last) == StoreStatus.Ok && Find(last.Headers, "Nats-Schedule"u8).IsEmpty
            ? ApiErrors.MessageSchedulesSchedulerInvalid
            : null;
    }

    private static bool IsOfStream(StreamConfig config, ReadOnlySpan<byte> subject)
    {
        foreach (var pattern in config.SubjectList)
            if (Subject.Collide(Encoding.UTF8.GetBytes(pattern), subject)) return true;
        return false;
    }

    private static ReadOnlySpan<byte> Find(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name)
        => MessageHeaders.TryFind(headers, name, out var value) ? value : [];
}
