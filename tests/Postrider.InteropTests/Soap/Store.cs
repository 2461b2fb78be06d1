using System.ServiceModel;
using System.Threading.Channels;
using Postrider.Rpc;

namespace Postrider.InteropTests.Soap;

/// <summary>The service as WCF's users write it.</summary>
internal sealed class Store : IStore
{
    /// <summary>What it was told.</summary>
    public Channel<string> Notes { get; } = Channel.CreateUnbounded<string>();

    public int Add(int a, int b) => a + b;

    public Goods Echo(Goods goods) => goods;

    public List<string> Reverse(List<string> items)
    {
        items.Reverse();
        return items;
    }

    public Task<int> BuyAsync(string item, int count) => count switch
    {
        > 3 => throw new FaultException<SoldOut>(new SoldOut { Item = item, Left = 3 }, "Only 3 are left."),
        < 0 => throw new FaultException("Nothing is taken back."),
        0 => throw new InvalidOperationException("secret"),
        _ => Task.FromResult(count),
    };

    public string WhoAmI(CallContext context)
    {
        context.ResponseHeaders["Served-By"] = "store";
        return context.User?.Identity?.Name ?? context.Headers["Tenant"] ?? "nobody";
    }

    public void Note(string text) => Notes.Writer.TryWrite(text);
}
