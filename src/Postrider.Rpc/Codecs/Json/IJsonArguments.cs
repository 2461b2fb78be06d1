using System.Text.Json;

namespace Postrider.Rpc.Codecs.Json;

/// <summary>Parameters as properties of one object.</summary>
/// <typeparam name="T">The parameters.</typeparam>
internal interface IJsonArguments<T>
{
    /// <summary>The number of parameters.</summary>
    int Count { get; }

    void WriteProperties(Utf8JsonWriter writer, in T value);

    /// <summary>Reads the value before which the reader is positioned, if the name is one of the parameters.</summary>
    /// <param name="name">The property's name.</param>
    /// <param name="reader">Positioned before its value.</param>
    /// <param name="value">The parameters read so far.</param>
    /// <param name="seen">A bit for each parameter that was read.</param>
    /// <returns>False if there is no parameter of this name.</returns>
    bool TryRead(string name, ref Utf8JsonReader reader, ref T value, ref ulong seen);
}
