using Newtonsoft.Json;

namespace Postrider.Rpc.Newtonsoft;

/// <summary>Parameters as properties of one object.</summary>
/// <typeparam name="T">The parameters.</typeparam>
internal interface INewtonsoftArguments<T>
{
    /// <summary>The number of parameters.</summary>
    int Count { get; }

    void WriteProperties(JsonTextWriter writer, in T value);

    /// <summary>Reads the value at the reader's position if the name is one of the parameters.</summary>
    /// <param name="name">The property's name.</param>
    /// <param name="reader">Positioned at the value; on success at its end.</param>
    /// <param name="value">The parameters read so far.</param>
    /// <param name="seen">A bit for each parameter that was read.</param>
    /// <returns>False if there is no parameter of this name.</returns>
    bool TryRead(string name, JsonTextReader reader, ref T value, ref ulong seen);
}
