namespace Postrider.Broker;

/// <summary>A stream or service that an account offers to other accounts.</summary>
/// <remarks>Not thread-safe; must not be changed once a broker has it. Two instances are equal when all their values are.
/// Source: nats-server's <c>exports</c> of accounts.</remarks>
public sealed record ExportOptions
{
    /// <summary>The time in which a request must be answered, unless an export sets another one: two minutes.</summary>
    public static readonly TimeSpan DefaultResponseThreshold = TimeSpan.FromMinutes(2);

    /// <summary>Whether a stream or a service is offered.</summary>
    public required ExportType Type { get; set; }

    /// <summary>The subject or pattern that is offered; accounts may import any part of it.</summary>
    public required string Subject { get; set; }

    /// <summary>Names of the accounts that may import it; empty for all.</summary>
    public IReadOnlyList<string> Accounts { get; set; } = [];

    /// <summary>Position of a <c>*</c> in <see cref="Subject"/>, counted from 1, where an import must have the name of the importing account;
    /// zero for none.</summary>
    public int AccountTokenPosition { get; set; }

    /// <summary>How many messages make up a response. Services only.</summary>
    public ServiceResponseType ResponseType { get; set; }

    /// <summary>The time after which an unanswered request is forgotten: later responses are dropped. Services only.</summary>
    public TimeSpan ResponseThreshold { get; set; } = DefaultResponseThreshold;

    /// <summary>Measures the responses; null for no measurement. Only for services with <see cref="ServiceResponseType.Singleton"/>.</summary>
    public ServiceLatencyOptions? Latency { get; set; }

    /// <summary>Whether traces of messages continue in this account. Services only.</summary>
    public bool AllowTrace { get; set; }

    /// <summary>Whether an import needs a token issued by the exporting account: see <see cref="ImportOptions.IsAuthorized"/>.</summary>
    internal bool RequiresToken { get; set; }

    /// <inheritdoc/>
    public bool Equals(ExportOptions? other) => other is not null
        && Type == other.Type
        && string.Equals(Subject, other.Subject, StringComparison.Ordinal)
        && Accounts.SequenceEqual(other.Accounts, StringComparer.Ordinal)
        && AccountTokenPosition == other.AccountTokenPosition
        && ResponseType == other.ResponseType
        && ResponseThreshold == other.ResponseThreshold
        && Latency == other.Latency
        && AllowTrace == other.AllowTrace
        && RequiresToken == other.RequiresToken;

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Type, Subject, Accounts.Count, AccountTokenPosition, ResponseType, ResponseThreshold, Latency);
}
