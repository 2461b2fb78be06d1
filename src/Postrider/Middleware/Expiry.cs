namespace Postrider.Middleware;

/// <summary>The end of a time span that starts now; one beyond the range of dates never ends.</summary>
internal static class Expiry
{
    internal static DateTimeOffset After(TimeProvider time, TimeSpan duration)
    {
        var now = time.GetUtcNow();
        return duration < DateTimeOffset.MaxValue - now ? now + duration : DateTimeOffset.MaxValue;
    }
}
