using System.Buffers;
using Postrider.Serialization;

namespace Postrider.UnitTests.Serialization;

/// <summary>The forms that .NET has for bytes.</summary>
public sealed class BytesFormTests
{
    private static readonly byte[] s_bytes = [1, 2, 3];

    [Fact]
    public void Every_form_is_written_and_read_unchanged()
    {
        Same(s_bytes, static value => value);
        Same(new ReadOnlyMemory<byte>(s_bytes), static value => value.ToArray());
        Same(new Memory<byte>(s_bytes), static value => value.ToArray());
        Same(new ReadOnlySequence<byte>(s_bytes), static value => value.ToArray());
        Same<Stream>(new MemoryStream(s_bytes), static value => ((MemoryStream)value).ToArray());
    }

    [Fact]
    public void Rented_memory_is_disposed_when_written_and_read_as_a_copy_of_its_own()
    {
        var serializer = BytesSerializerProvider.Instance.Get<IMemoryOwner<byte>>();
        var owner = new Owner();
        var output = new ArrayBufferWriter<byte>();

        serializer.Write(output, owner);
        using var read = serializer.Read(output.WrittenSpan);

        Assert.True(owner.IsDisposed);
        Assert.Equal(s_bytes, read.Memory.ToArray());
    }

    [Fact]
    public void Null_bytes_are_refused()
        => Assert.Equal(
            SerializerError.InvalidValue,
            Assert.Throws<SerializerException>(() => BytesSerializerProvider.Instance.Get<byte[]>().Write(new ArrayBufferWriter<byte>(), null!)).Error);

    [Fact]
    public void Only_types_of_bytes_have_a_serializer()
    {
        Assert.True(BytesSerializerProvider.IsBytes(typeof(Stream)));
        Assert.False(BytesSerializerProvider.IsBytes(typeof(string)));
        Assert.Null(BytesSerializerProvider.Instance.Find<string>());
    }

    private static void Same<T>(T value, Func<T, byte[]> bytes)
    {
        var serializer = BytesSerializerProvider.Instance.Get<T>();
        var output = new ArrayBufferWriter<byte>();

        serializer.Write(output, value);

        Assert.Equal(s_bytes, output.WrittenSpan.ToArray());
        Assert.Equal(s_bytes, bytes(serializer.Read(output.WrittenSpan)));
        Assert.Equal(s_bytes, bytes(serializer.Read(MessagePack.BadInputTests.Segments(s_bytes, 1))));
    }

    private sealed class Owner : IMemoryOwner<byte>
    {
        public bool IsDisposed { get; private set; }

        public Memory<byte> Memory { get; } = s_bytes.ToArray();

        public void Dispose() => IsDisposed = true;
    }
}
