namespace Postrider.Broker.Routing;

/// <summary>The broker as the publisher of a request of its own, such as one of a mirror to the JetStream API of another account.</summary>
/// <remarks>Deliveries of the broker, such as a consumer's, have no publisher instead, and do not reach services that act for clients: see
/// <see cref="IInternalSubscriber.ServesClients"/>.</remarks>
internal sealed class BrokerRequester : IPublishingClient
{
    private BrokerRequester()
    {
    }

    /// <summary>The only one.</summary>
    public static BrokerRequester Instance { get; } = new();

    /// <inheritdoc/>
    public ulong Id => 0;

    /// <inheritdoc/>
    public string? UserName => null;

    /// <inheritdoc/>
    public string AccountName => "";

    /// <inheritdoc/>
    public PermissionOptions? Permissions => null;

    /// <inheritdoc/>
    public ClientInfo Details => throw new NotSupportedException("The broker has no connection to itself.");

    /// <summary>The client among publishers, or null.</summary>
    public static IPublishingClient? ClientOf(IPublishingClient? publisher) => publisher is BrokerRequester ? null : publisher;
}
