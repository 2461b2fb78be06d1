namespace Postrider.Samples.OrderPipeline;

/// <summary>The warehouse: slow, unreliable, and without unicorns.</summary>
/// <param name="work">The time that packing takes.</param>
public sealed class Warehouse(TimeSpan work)
{
    // The number of attempts at which glass breaks.
    private const int BrokenGlasses = 2;

    public async ValueTask PackAsync(PackOrder order, long attempt, CancellationToken ct)
    {
        if (order.Item == "unicorn") throw new PostriderException(PostriderError.Refused, "There are no unicorns.");
        if (work > TimeSpan.Zero) await Task.Delay(work, ct);
        if (order.Item == "glass" && attempt <= BrokenGlasses) throw new InvalidOperationException("The glass broke.");
    }
}
