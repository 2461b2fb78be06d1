using System.Globalization;

namespace Postrider.Client.JetStream;

/// <summary>Options of a publish to a stream.</summary>
/// <remarks>They are sent in headers that begin with <c>Nats-</c>. Source: NATS ADR-4, ADR-43, ADR-51.</remarks>
public sealed record PublishOptions
{
    /// <summary>The message id: a second publish with the same id within the stream's duplicate window is not stored, but acknowledged as a duplicate.</summary>
    public string? MessageId { get; init; }

    /// <summary>The stream that is expected to store the message.</summary>
    public string? ExpectedStream { get; init; }

    /// <summary>The expected last sequence of the stream.</summary>
    public ulong? ExpectedLastSequence { get; init; }

    /// <summary>The expected last sequence of the subject; 0 if there must be no message.</summary>
    public ulong? ExpectedLastSubjectSequence { get; init; }

    /// <summary>The subject, with or without wildcards, that <see cref="ExpectedLastSubjectSequence"/> refers to, instead of the message's own subject.</summary>
    public string? ExpectedLastSubjectSequenceSubject { get; init; }

    /// <summary>The expected id of the last message.</summary>
    public string? ExpectedLastMessageId { get; init; }

    /// <summary>How long the message is kept, at least one second; <see cref="Timeout.InfiniteTimeSpan"/> keeps it beyond the stream's limit. The stream must allow it.</summary>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>Which messages this one replaces. The stream must allow it.</summary>
    public PublishRollup Rollup { get; init; }

    /// <summary>When to publish: <c>@at 2030-01-01T00:00:00Z</c>, <c>@every 1m</c> or six fields of cron. The stream must allow it.</summary>
    public string? Schedule { get; init; }

    /// <summary>The subject to which a scheduled message is published.</summary>
    public string? ScheduleTarget { get; init; }

    /// <summary>The increment of a counter, such as <c>+1</c>. The stream must allow it.</summary>
    public string? Increment { get; init; }

    /// <summary>Number of retries without responders, for example while a stream has no leader; null for the context's.</summary>
    public int? Retries { get; init; }

    /// <summary>The delay before such a retry; null for the context's.</summary>
    public TimeSpan? RetryDelay { get; init; }

    /// <summary>Timeout of the acknowledgement; null for the context's.</summary>
    public TimeSpan? AckTimeout { get; init; }

    /// <summary>Adds these options to headers.</summary>
    /// <returns>The same headers when there is nothing to add, else a copy.</returns>
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
