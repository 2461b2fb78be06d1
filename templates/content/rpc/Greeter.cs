namespace PostriderRpc;

/// <summary>The implementation: one object for each call.</summary>
internal sealed class Greeter(ILogger<Greeter> logger) : IGreeter
{
    public ValueTask<Greeting> GreetAsync(Guest guest, CancellationToken ct = default)
    {
        logger.LogInformation("Greeting {Name}", guest.Name);
        return new(new Greeting($"Hello {guest.Name}"));
    }
}
