
namespace Postrider.Client.JetStream;

/// <summary>How a JetStream context behaves.</summary>
public sealed record JetStreamOptions
{
    /// <summary>The domain to talk to; null for the nearest.</summary>
    public string? Domain { get; init; }

    /// <summary>What stands in front of the API's subjects. Default <c>$JS.API</c>; another for imported APIs. <see cref="Domain"/> goes before it.</summary>
    public string ApiPrefix { get; init; } = "$JS.API";

    /// <summary>How long to wait for a reply of the API or an acknowledgement; null for <see cref="ClientOptions.RequestTimeout"/>.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>How often a publish that nobody answered is tried again. Default 2: a stream without a leader soon has one.</summary>
    public int PublishRetries { get; init; } = 2;

    /// <summary>The wait before such a try. Default 250 ms.</summary>
    public TimeSpan PublishRetryDelay { get; init; } = TimeSpan.FromMilliseconds(250);

    internal string Prefix => Domain is null ? ApiPrefix : $"$JS.{Domain}.API";

    internal void Check()
    {
        if (Timeout <= TimeSpan.Zero) throw Invalid(nameof(Timeout), "must be longer than 0");
        if (PublishRetries < 0) throw Invalid(nameof(PublishRetries), "must be at least 0");
        if (string.IsNullOrEmpty(Prefix)) throw Invalid(nameof(ApiPrefix), "is empty");
    }

    private static NatsClientException Invalid(string option, string what)
        => new(NatsErrorCode.InvalidOption, $"JetStreamOptions.{option} {what}.");
}
