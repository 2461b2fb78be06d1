namespace Postrider.Load.Clients;

/// <summary>Clients whose packages do not restore: here only when they were compiled in by <c>--peers FOLDER</c>.</summary>
internal static partial class PeerClients
{
    /// <summary>The peers that are there.</summary>
    public static IReadOnlyList<ClientSpec> Present
    {
        get
        {
            var present = new List<ClientSpec>();
            AddNatsNet(present);
            return present;
        }
    }

    /// <summary>Runs a peer's driver where the arguments name one.</summary>
    /// <returns>Its exit code, or null where the arguments are not a peer's.</returns>
    public static async Task<int?> TryRunAsync(string[] arguments)
    {
        Task<int>? running = null;
        RunNatsNet(arguments, ref running);
        return running is null ? null : await running;
    }

    static partial void AddNatsNet(List<ClientSpec> clients);

    static partial void RunNatsNet(string[] arguments, ref Task<int>? running);
}
