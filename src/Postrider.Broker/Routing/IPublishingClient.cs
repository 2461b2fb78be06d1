namespace Postrider.Broker.Routing;

/// <summary>The publisher of a message, as far as internal subscribers need it.</summary>
internal interface IPublishingClient
{
    /// <summary>The broker's id of the connection.</summary>
    ulong Id { get; }

    /// <summary>The user's name, or null.</summary>
    string? UserName { get; }

    /// <summary>The account's name.</summary>
    string AccountName { get; }

    /// <summary>The user's permissions; null when nothing is restricted.</summary>
    PermissionOptions? Permissions { get; }

    /// <summary>Details of the connection; created at each call.</summary>
    ClientInfo Details { get; }
}
