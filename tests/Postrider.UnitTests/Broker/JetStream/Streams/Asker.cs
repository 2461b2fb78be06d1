using Postrider.Broker;
using Postrider.Broker.Routing;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>A client that sends requests.</summary>
/// <param name="id">The id of its connection.</param>
/// <param name="user">Its user name, or null.</param>
internal sealed class Asker(ulong id, string? user) : IPublishingClient
{
    public ulong Id => id;

    public string? UserName => user;

    public string AccountName { get; init; } = "$G";

    public PermissionOptions? Permissions => null;

    public ClientInfo Details => new("127.0.0.1", "name", "lang", "1.0", DateTimeOffset.UnixEpoch, TimeSpan.FromMilliseconds(1));
}
