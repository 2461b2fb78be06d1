using System.Text.Json.Serialization;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Ends as it is told, and takes an object of an abstract class.</summary>
[Service("statuses")]
public interface IStatuses
{
    ValueTask<int> EndAsync(int status, CallContext context, CancellationToken ct = default);

    ValueTask<string> DrawAsync(Figure figure);

    ValueTask<int> SetAsync(int number, Detail detail);

    ValueTask<string> NameAsync(Detail? detail);

    ValueTask<string> PairAsync(string? first, int? second);

    [HttpPost("statuses/{id}/name")]
    ValueTask<string> NameOfAsync(int id, Detail? detail);

    ValueTask<double> NumberAsync(double number);

    ValueTask<int> LengthAsync(byte[]? bytes);
}

[JsonPolymorphic]
[JsonDerivedType(typeof(Circle), "circle")]
public abstract class Figure;

public sealed class Circle : Figure
{
    public double Radius { get; set; }
}

public sealed class Detail
{
    public required int Count { get; init; }
}

[JsonSerializable(typeof(Figure))]
[JsonSerializable(typeof(Detail))]
[JsonSerializable(typeof(int?))]
internal sealed partial class StatusesJson : JsonSerializerContext;
