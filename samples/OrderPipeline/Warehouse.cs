namespace Postrider.Samples.OrderPipeline;

/// <summary>Where the goods are: slow, now and then out of order, and without unicorns.</summary>
/// <param name="work">How long packing takes.</param>
public sealed class Warehouse(TimeSpan work)
{
    // Glass breaks so often before it arrives whole.
    private const int BrokenGlasses = 2;

    public async ValueTask PackAsync(PackOrder order, long attempt, CancellationToken ct)
    {
        if (order.Item == "unicorn") throw new PostriderException(PostriderError.Refused, "There are no unicorns.");
        if (work > TimeSpan.Zero) await Task.Delay(work, ct);
        if (order.Item == "glass" && attempt <= BrokenGlasses) throw new InvalidOperationException("The glass broke.");
    }
}
