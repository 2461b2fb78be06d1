using System.Globalization;

namespace Postrider.Client.JetStream;

/// <summary>What a publish to a stream may say beyond subject, payload and headers.</summary>
/// <remarks>It travels in headers that begin with <c>Nats-</c>. Source: NATS ADR-4, ADR-43, ADR-51.</remarks>
public sealed record PublishOptions
{
    /// <summary>The message's id: a second publish of it within the stream's window is not stored, but acknowledged as a duplicate.</summary>
    public string? MessageId { get; init; }

    /// <summary>The stream that must store it.</summary>
    public string? ExpectedStream { get; init; }

    /// <summary>What the stream's last sequence must be.</summary>
    public ulong? ExpectedLastSequence { get; init; }

    /// <summary>What the last sequence of the subject must be; 0 when there must be no message.</summary>
    public ulong? ExpectedLastSubjectSequence { get; init; }

    /// <summary>The subject, with or without wildcards, that <see cref="ExpectedLastSubjectSequence"/> looks at in place of the message's own.</summary>
    public string? ExpectedLastSubjectSequenceSubject { get; init; }

    /// <summary>What the id of the last message must be.</summary>
    public string? ExpectedLastMessageId { get; init; }

    /// <summary>How long the message is kept, at least one second; <see cref="Timeout.InfiniteTimeSpan"/> keeps it past the stream's own limit. The stream must allow it.</summary>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>What the message replaces. The stream must allow it.</summary>
    public PublishRollup Rollup { get; init; }

    /// <summary>When to publish: <c>@at 2030-01-01T00:00:00Z</c>, <c>@every 1m</c> or six fields of cron. The stream must allow it.</summary>
    public string? Schedule { get; init; }

    /// <summary>Where a scheduled message is published.</summary>
    public string? ScheduleTarget { get; init; }

    /// <summary>What is added to a counter, such as <c>+1</c>. The stream must allow it.</summary>
    public string? Increment { get; init; }

    /// <summary>How often the publish is tried again when nobody answers, as while a stream has no leader; null for the context's.</summary>
    public int? Retries { get; init; }

    /// <summary>The wait before such a try; null for the context's.</summary>
    public TimeSpan? RetryDelay { get; init; }

    /// <summary>How long to wait for the acknowledgement; null for the context's.</summary>
    public TimeSpan? AckTimeout { get; init; }

    /// <summary>The headers with what is said here.</summary>
    /// <returns>The same when there is nothing to add, else a copy.</returns>
    internal NatsHeaders? AddTo(NatsHeaders? headers)
    {
        var all = new NatsHeaders();
        foreach (var (name, value) in headers ?? []) all.Add(name, value);
        var given = all.Count;
        Add("Nats-Msg-Id", MessageId);
        Add("Nats-Expected-Stream", ExpectedStream);
        Add("Nats-Expected-Last-Sequence", ExpectedLastSequence?.ToString(CultureInfo.InvariantCulture));
        Add("Nats-Expected-Last-Subject-Sequence", ExpectedLastSubjectSequence?.ToString(CultureInfo.InvariantCulture));
        Add("Nats-Expected-Last-Subject-Sequence-Subject", ExpectedLastSubjectSequenceSubject);
        Add("Nats-Expected-Last-Msg-Id", ExpectedLastMessageId);
        Add("Nats-TTL", TimeToLive is { } time ? TimeToLiveText(time) : null);
        Add("Nats-Rollup", Rollup switch { PublishRollup.Subject => "sub", PublishRollup.Stream => "all", _ => null });
        Add("Nats-Schedule", Schedule);
        Add("Nats-Schedule-Target", ScheduleTarget);
        Add("Nats-Incr", Increment);
        return all.Count == given ? headers : all;

        void Add(string name, string? value)
        {
            if (value is not null) all.Add(name, value);
        }
    }

    private static string TimeToLiveText(TimeSpan time)
    {
        if (time == Timeout.InfiniteTimeSpan) return "never";
        if (time < TimeSpan.FromSeconds(1)) throw new NatsClientException(NatsErrorCode.InvalidOption, $"PublishOptions.TimeToLive {time} is less than one second.");
        return string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.###}s");
    }
}
