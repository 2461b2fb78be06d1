namespace Postrider.Broker.Routing;

/// <summary>The rule for queues that skip removed entries later instead of searching for them: when to drop all of them.</summary>
internal static class OutdatedEntries
{
    private const int Few = 64;

    /// <summary>Whether most entries are outdated, so that dropping them costs no more than adding them did.</summary>
    /// <param name="entries">The number of entries, outdated ones included.</param>
    /// <param name="current">The number of those that count.</param>
    public static bool Prevail(int entries, int current) => entries > Few + (2 * current);
}
