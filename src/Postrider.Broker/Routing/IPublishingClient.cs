namespace Postrider.Broker.Routing;

/// <summary>Who published a message, as far as services ask.</summary>
internal interface IPublishingClient
{
    /// <summary>The broker's number of the connection.</summary>
    ulong Id { get; }

    /// <summary>The user's name, or null.</summary>
    string? UserName { get; }

    /// <summary>The account's name.</summary>
    string AccountName { get; }

    /// <summary>What the user may do; null for anything.</summary>
    PermissionOptions? Permissions { get; }

    /// <summary>More about the connection; made at each call.</summary>
    ClientInfo Details { get; }
}
