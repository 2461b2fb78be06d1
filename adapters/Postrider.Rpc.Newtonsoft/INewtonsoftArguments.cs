using Newtonsoft.Json;

namespace Postrider.Rpc.Newtonsoft;

/// <summary>Parameters as properties of one object.</summary>
/// <typeparam name="T">The parameters.</typeparam>
internal interface INewtonsoftArguments<T>
{
    /// <summary>The number of parameters.</summary>
    int Count { get; }

    void WriteProperties(JsonTextWriter writer, in T value);

    /// <summary>Reads the value that the reader stands at, when the name is one of the parameters.</summary>
    /// <param name="name">The property's name.</param>
    /// <param name="reader">Stands at the value; on success at its end.</param>
    /// <param name="value">The parameters read so far.</param>
    /// <param name="seen">A bit for each of them that was there.</param>
    /// <returns>False when there is no parameter of this name.</returns>
    bool TryRead(string name, JsonTextReader reader, ref T value, ref ulong seen);
}
