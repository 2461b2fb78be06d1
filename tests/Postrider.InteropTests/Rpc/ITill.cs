using System.Text.Json.Serialization;
using Postrider.Rpc;

namespace Postrider.InteropTests.Rpc;

/// <summary>What foreign programs call.</summary>
[Service("till", Version = "1.4.0")]
public interface ITill
{
    ValueTask<int> AddAsync(int first, int second);

    [Fault(typeof(SoldOut))]
    ValueTask<string> TakeAsync(string item);

    IAsyncEnumerable<int> CountAsync(int last);

    Task<long> SumAsync(string label, IAsyncEnumerable<int> numbers);
}

public sealed record SoldOut(string Item, int Left);

[JsonSerializable(typeof(SoldOut))]
internal sealed partial class TillJson : JsonSerializerContext;
