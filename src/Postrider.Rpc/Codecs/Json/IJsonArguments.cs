using System.Text.Json;

namespace Postrider.Rpc.Codecs.Json;

/// <summary>Parameters as properties of one object.</summary>
/// <typeparam name="T">The parameters.</typeparam>
internal interface IJsonArguments<T>
{
    /// <summary>The number of parameters.</summary>
    int Count { get; }

    void WriteProperties(Utf8JsonWriter writer, in T value);

    /// <summary>Reads the value that the reader stands before, when the name is one of the parameters.</summary>
    /// <param name="name">The property's name.</param>
    /// <param name="reader">Stands before its value.</param>
    /// <param name="value">The parameters read so far.</param>
    /// <param name="seen">A bit for each of them that was there.</param>
    /// <returns>False when there is no parameter of this name.</returns>
    bool TryRead(string name, ref Utf8JsonReader reader, ref T value, ref ulong seen);
}
