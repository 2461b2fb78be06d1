using Postrider.MessagePack;

namespace Postrider.Rpc.Codecs.MessagePack;

/// <summary>Parameters as items of one array.</summary>
/// <typeparam name="T">The parameters.</typeparam>
internal interface IMessagePackArguments<T>
{
    /// <summary>How many items there are.</summary>
    int Count { get; }

    void WriteItems(ref MessagePackWriter writer, in T value);

    /// <summary>Reads the available parameters, at most <see cref="Count"/>; the others keep their defaults.</summary>
    void ReadItems(ref MessagePackReader reader, ref T value, ref int left);
}
