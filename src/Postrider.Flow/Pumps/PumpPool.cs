namespace Postrider.Flow.Pumps;

/// <summary>A few pumps of one type, ready for the next operation.</summary>
internal static class PumpPool<TPump>
    where TPump : class, new()
{
    // As many as code that awaits one operation per processor could use at once, and some more.
    private static readonly TPump?[] Slots = new TPump?[Math.Max(4, Environment.ProcessorCount * 2)];

    public static TPump Rent()
    {
        for (var i = 0; i < Slots.Length; i++)
        {
            if (Slots[i] is not null && Interlocked.Exchange(ref Slots[i], null) is { } pump)
                return pump;
        }
        return new TPump();
    }

    public static void Return(TPump pump)
    {
        for (var i = 0; i < Slots.Length; i++)
        {
            if (Slots[i] is null && Interlocked.CompareExchange(ref Slots[i], pump, null) is null)
                return;
        }
    }
}
