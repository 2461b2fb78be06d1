using System.Text.Json;

namespace Postrider.Rpc.Codecs;

/// <summary>Parameters as properties of one object.</summary>
/// <typeparam name="T">The parameters.</typeparam>
internal interface IJsonProperties<T>
{
    void WriteProperties(Utf8JsonWriter writer, in T value);

    /// <summary>Reads the value that the reader stands before, when the name is one of the parameters.</summary>
    bool TryRead(string name, ref Utf8JsonReader reader, ref T value);
}
