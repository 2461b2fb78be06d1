using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Rpc;

namespace Postrider.HostingTests.Rpc;

internal sealed class Parts(ScopedPart scoped, PartsHolder holder, TransientPart transient, ILogger<Parts> log) : IParts
{
    public ValueTask<int[]> NumbersAsync()
    {
        Assert.NotNull(log);
        return new([scoped.Number, holder.Scoped.Number, transient.Number, holder.Transient.Number]);
    }

    public ValueTask<int[]> ScopedNumbersAsync(CallContext context)
        => new([scoped.Number, context.Services!.GetRequiredService<ScopedPart>().Number]);
}

/// <summary>The only scoped and transient objects come from the provider that the constructor receives.</summary>
internal sealed class LocatedParts(ScopedPart scoped, IServiceProvider services) : IParts
{
    public ValueTask<int[]> NumbersAsync()
    {
        var holder = services.GetRequiredService<PartsHolder>();
        return new([scoped.Number, holder.Scoped.Number, services.GetRequiredService<TransientPart>().Number, holder.Transient.Number]);
    }

    public ValueTask<int[]> ScopedNumbersAsync(CallContext context) => new([scoped.Number]);
}

/// <summary>Takes what takes it.</summary>
internal sealed class CircularParts(CircularPart part) : IParts
{
    public ValueTask<int[]> NumbersAsync() => new([part is null ? 0 : 1]);

    public ValueTask<int[]> ScopedNumbersAsync(CallContext context) => NumbersAsync();
}

internal sealed class CircularPart(IParts parts)
{
    public IParts Parts => parts;
}

internal sealed class PartNumbers
{
    private int _last;

    public int Next() => Interlocked.Increment(ref _last);
}

internal sealed class ScopedPart(PartNumbers numbers)
{
    public int Number { get; init; } = numbers.Next();
}

internal sealed class TransientPart(PartNumbers numbers)
{
    public int Number { get; } = numbers.Next();
}

internal sealed class PartsHolder(ScopedPart scoped, TransientPart transient)
{
    public ScopedPart Scoped => scoped;

    public TransientPart Transient => transient;
}
