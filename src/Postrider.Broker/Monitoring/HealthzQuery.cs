namespace Postrider.Broker.Monitoring;

/// <summary>The query of <c>/healthz</c>: what must exist besides a server that serves.</summary>
public sealed record HealthzQuery
{
    /// <summary>The account that must have JetStream; empty for none.</summary>
    public string Account { get; init; } = "";

    /// <summary>The stream that the account must have; empty for none.</summary>
    public string Stream { get; init; } = "";

    /// <summary>The consumer that the stream must have; empty for none.</summary>
    public string Consumer { get; init; } = "";

    /// <summary>Whether only the server itself is checked, whatever the other members say.</summary>
    public bool ServerOnly { get; init; }

    /// <summary>Whether problems are listed in <see cref="HealthzPage.Errors"/>.</summary>
    public bool Details { get; init; }
}
