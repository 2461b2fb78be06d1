
namespace Postrider.Client.JetStream;

/// <summary>Options of a JetStream context.</summary>
public sealed record JetStreamOptions
{
    /// <summary>The JetStream domain; null for the local one.</summary>
    public string? Domain { get; init; }

    /// <summary>The prefix of the API subjects. Default <c>$JS.API</c>; set it for imported APIs. <see cref="Domain"/> takes precedence.</summary>
    public string ApiPrefix { get; init; } = "$JS.API";

    /// <summary>Timeout of API requests and acknowledgements; null for <see cref="ClientOptions.RequestTimeout"/>.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Number of retries of a publish without responders. Default 2: a stream without a leader usually gets one soon.</summary>
    public int PublishRetries { get; init; } = 2;

    /// <summary>The delay before such a retry. Default 250 ms.</summary>
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
