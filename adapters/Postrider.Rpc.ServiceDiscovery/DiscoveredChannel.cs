using Microsoft.Extensions.ServiceDiscovery;

namespace Postrider.Rpc.ServiceDiscovery;

/// <summary>A channel to the endpoints of a service, which are resolved for each call.</summary>
/// <remarks>The resolver keeps its results until they change, so that a call costs a look-up. A channel to an endpoint is kept as long as
/// the endpoint is resolved or a call runs over it. Thread-safe.</remarks>
internal sealed class DiscoveredChannel(ServiceAddress address, ServiceEndpointResolver resolver, Func<Uri, RpcChannel> connect) : RpcChannel
{
    // Guards the fields below, the uses of sets and the sets of channels.
    private readonly Lock _gate = new();
    private readonly Dictionary<Uri, EndpointChannel> _channels = [];
    private EndpointSet? _current;
    private bool _isDisposed;

    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
        => new DiscoveredInvoker<TRequest, TItem, TResponse>(this, operation);

    public override async ValueTask DisposeAsync()
    {
        List<EndpointChannel> open;
        lock (_gate)
        {
            _isDisposed = true;
            open = [.. _channels.Values];
            _channels.Clear();
        }

        foreach (var one in open)
            await one.Channel.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Begins a call.</summary>
    /// <param name="path">The operation, for errors.</param>
    /// <param name="ct">Cancels the resolution.</param>
    /// <returns>The endpoints; <see cref="Leave"/> ends the call.</returns>
    /// <exception cref="RpcException">The channel is closed, or the service cannot be resolved or has no endpoint:
    /// <see cref="RpcStatus.Unavailable"/>.</exception>
    public async ValueTask<EndpointSet> EnterAsync(string path, CancellationToken ct)
    {
        ServiceEndpointSource? source;
        try
        {
            source = await resolver.GetEndpointsAsync(address.Query, ct).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is not OperationCanceledException)
        {
            // A provider that fails is no reason to leave endpoints that work. The resolver logs it.
            source = Volatile.Read(ref _current)?.Source
                ?? throw new RpcException(RpcStatus.Unavailable, $"{path} was not called: service discovery cannot resolve {address.Query}: {failure.Message}", failure) { IsUnsent = true };
        }

        List<EndpointChannel> closed = [];
        EndpointSet set;
        lock (_gate)
        {
            if (_isDisposed)
                throw new RpcException(RpcStatus.Unavailable, "The channel is closed.") { IsUnsent = true };
            // A result that was overtaken while the call waited for the lock changes nothing.
            if (_current is null || (!ReferenceEquals(_current.Source, source) && !source.ChangeToken.HasChanged))
                closed = ReplaceLocked(source, path);
            set = _current!;
            set.Uses++;
        }

        Close(closed);
        return set;
    }

    /// <summary>Ends a call.</summary>
    public void Leave(EndpointSet set)
    {
        List<EndpointChannel> closed;
        lock (_gate)
        {
            set.Uses--;
            if (!set.IsReplaced || set.Uses > 0)
                return;
            closed = ForgetLocked(set);
        }

        Close(closed);
    }

    private static void Close(List<EndpointChannel> closed)
    {
        foreach (var one in closed)
            _ = one.Channel.DisposeAsync().AsTask();
    }

    private List<EndpointChannel> ReplaceLocked(ServiceEndpointSource source, string path)
    {
        List<Uri> addresses = [.. source.Endpoints.Select(endpoint => address.Of(endpoint.EndPoint)).Distinct()];
        if (addresses.Count == 0)
            throw new RpcException(RpcStatus.Unavailable, $"{path} was not called: service discovery knows no endpoint of {address.Query}.") { IsUnsent = true };
        var last = _current;
        if (last is not null && addresses.SequenceEqual(last.Members.Select(static member => member.Address)))
        {
            last.Source = source;
            return [];
        }

        var set = new EndpointSet(source, [.. addresses.Select(MemberLocked)]);
        foreach (var member in set.Members)
            member.Sets++;
        _current = set;
        if (last is null)
            return [];
        last.IsReplaced = true;
        return last.Uses == 0 ? ForgetLocked(last) : [];
    }

    private EndpointChannel MemberLocked(Uri endpoint)
    {
        if (!_channels.TryGetValue(endpoint, out var known))
            _channels.Add(endpoint, known = new EndpointChannel(endpoint, connect(endpoint)));
        return known;
    }

    private List<EndpointChannel> ForgetLocked(EndpointSet set)
    {
        List<EndpointChannel> closed = [];
        foreach (var member in set.Members)
        {
            member.Sets--;
            if (member.Sets == 0 && _channels.Remove(member.Address))
                closed.Add(member);
        }

        return closed;
    }
}
