using Microsoft.Extensions.ServiceDiscovery;

namespace Postrider.Rpc.ServiceDiscovery;

/// <summary>The endpoints of a service at a time. The lock of its <see cref="DiscoveredChannel"/> guards what changes.</summary>
internal sealed class EndpointSet
{
    public EndpointSet(ServiceEndpointSource source, IReadOnlyList<EndpointChannel> members)
    {
        (Source, Members) = (source, members);
        // It does not own them: some are in the next set, too.
        Channel = members is [var single] ? single.Channel : new BalancedChannel([.. members.Select(static member => member.Channel)]);
    }

    /// <summary>What service discovery returned.</summary>
    public ServiceEndpointSource Source { get; set; }

    public IReadOnlyList<EndpointChannel> Members { get; }

    /// <summary>The channel over all members. Not to be disposed.</summary>
    public RpcChannel Channel { get; }

    /// <summary>The number of calls that use it.</summary>
    public int Uses { get; set; }

    /// <summary>Whether other endpoints have replaced it.</summary>
    public bool IsReplaced { get; set; }
}
