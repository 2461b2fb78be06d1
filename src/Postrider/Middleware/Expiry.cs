namespace Postrider.Middleware;

/// <summary>When something ends that begins now; what lasts longer than the calendar ends never.</summary>
internal static class Expiry
{
    internal static DateTimeOffset After(TimeProvider time, TimeSpan duration)
    {
        var now = time.GetUtcNow();
        return duration < DateTimeOffset.MaxValue - now ? now + duration : DateTimeOffset.MaxValue;
    }
}
