using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using Postrider.Rpc;

namespace Postrider.UnitTests.Rpc.Codecs;

public sealed class JsonTupleTests
{
    [Fact]
    public void Tuple_whose_items_would_be_lost_is_refused_wherever_it_is()
    {
        var codec = new RpcJsonCodec(TupleJson.Default);

        Assert.All<Func<object>>([codec.GetFormatter<(int, string)>, codec.GetFormatter<Pairs>, codec.GetFormatter<Pairs[]>, codec.GetFormatter<Dictionary<string, Pairs>>, codec.GetFormatter<Shape>], make =>
        {
            var failure = Assert.Throws<RpcException>(make);

            Assert.Equal(RpcStatus.Unsupported, failure.Status);
            Assert.StartsWith("The items of the tuple System.ValueTuple`2[System.Int32,System.String] are fields, which System.Text.Json leaves out by default. ", failure.Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Tuple_is_read_as_it_was_written_where_fields_are_included()
    {
        var formatter = new RpcJsonCodec(TupleJson.Default, new JsonSerializerOptions(JsonSerializerDefaults.Web) { IncludeFields = true }).GetFormatter<(int, string)>();
        var buffer = new ArrayBufferWriter<byte>();

        formatter.Write(buffer, (7, "tea"));

        Assert.Equal("""{"item1":7,"item2":"tea"}""", Encoding.UTF8.GetString(buffer.WrittenSpan));
        Assert.Equal((7, "tea"), formatter.Read(new ReadOnlySequence<byte>(buffer.WrittenMemory)));
    }

    [Fact]
    public void Types_that_contain_themselves_or_leave_a_tuple_out_are_taken()
    {
        var codec = new RpcJsonCodec(TupleJson.Default);

        Assert.NotNull(codec.GetFormatter<Chain>());
        Assert.NotNull(codec.GetFormatter<Empty>());
    }
}

internal sealed record Pairs(List<(int, string)> Items);

[JsonDerivedType(typeof(Square), "square")]
internal abstract record Shape;

internal sealed record Square((int, string) Side) : Shape;

internal sealed record Chain(Chain? Next, string Name)
{
    [JsonIgnore]
    public (int, string) Hidden { get; init; }
}

internal readonly record struct Empty;

[JsonSerializable(typeof((int, string)))]
[JsonSerializable(typeof(Pairs))]
[JsonSerializable(typeof(Pairs[]))]
[JsonSerializable(typeof(Dictionary<string, Pairs>))]
[JsonSerializable(typeof(Shape))]
[JsonSerializable(typeof(Chain))]
[JsonSerializable(typeof(Empty))]
internal sealed partial class TupleJson : JsonSerializerContext;
