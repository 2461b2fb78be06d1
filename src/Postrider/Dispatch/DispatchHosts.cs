namespace Postrider.Dispatch;

/// <summary>The projects whose <c>AddPostrider</c> was called on one service collection, and the options they share.</summary>
internal sealed class DispatchHosts
{
    private readonly List<DispatchHost> _hosts = [];

    internal DispatchOptions Options { get; } = new();

    internal IReadOnlyList<DispatchHost> All => _hosts;

    /// <summary>Adds a project.</summary>
    /// <returns>False if it was already added.</returns>
    internal bool TryAdd(DispatchHost host)
    {
        if (_hosts.Exists(known => known.Dispatcher == host.Dispatcher))
            return false;
        _hosts.Add(host);
        return true;
    }
}

/// <summary>A project that called <c>AddPostrider</c>.</summary>
/// <param name="Dispatcher">The class of its dispatchers.</param>
/// <param name="MakeModule">Creates its module; called once per container.</param>
/// <param name="MakeDispatcher">Creates a dispatcher.</param>
internal sealed record DispatchHost(
    Type Dispatcher, Func<HandlerModule> MakeModule, Func<PipelineTable, CallOrigin?, Dispatcher> MakeDispatcher);
