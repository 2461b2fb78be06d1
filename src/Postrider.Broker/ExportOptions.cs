namespace Postrider.Broker;

/// <summary>Subjects that an account offers to other accounts.</summary>
/// <remarks>Not thread-safe; must not be changed once a broker has it. Two are equal when everything in them is.
/// Source: nats-server's <c>exports</c> of accounts.</remarks>
public sealed record ExportOptions
{
    /// <summary>The time in which a request must be answered, unless an export sets another one: two minutes.</summary>
    public static readonly TimeSpan DefaultResponseThreshold = TimeSpan.FromMinutes(2);

    /// <summary>Whether messages or a service are offered.</summary>
    public required ExportType Type { get; set; }

    /// <summary>The subject or pattern that is offered; accounts may import any part of it.</summary>
    public required string Subject { get; set; }

    /// <summary>Names of the accounts that may import it; empty for all.</summary>
    public IReadOnlyList<string> Accounts { get; set; } = [];

    /// <summary>Place of a <c>*</c> in <see cref="Subject"/>, counted from 1, where an import must have the name of the importing account;
    /// zero for none.</summary>
    public int AccountTokenPosition { get; set; }

    /// <summary>How many messages answer a request. Of services only.</summary>
    public ServiceResponseType ResponseType { get; set; }

    /// <summary>The time after which an unanswered request is forgotten: later answers are lost. Of services only.</summary>
    public TimeSpan ResponseThreshold { get; set; } = DefaultResponseThreshold;

    /// <summary>Measures the answers; null for no measurements. Of services with <see cref="ServiceResponseType.Singleton"/> only.</summary>
    public ServiceLatencyOptions? Latency { get; set; }

    /// <summary>Whether traces of messages go on in this account. Of services only.</summary>
    public bool AllowTrace { get; set; }

    /// <summary>Whether an import needs a token that the exporting account issued: see <see cref="ImportOptions.IsAuthorized"/>.</summary>
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
