namespace Postrider.Benchmarks.MessagePack;

/// <summary>A serializer in the tables, with types of its own of one shape.</summary>
public interface ICodecPeer
{
    /// <summary>Its name.</summary>
    string Name { get; }

    /// <summary>The work with small items.</summary>
    /// <param name="json">The items as JSON.</param>
    /// <returns>Writing and reading.</returns>
    CodecWork ForSmall(string json);

    /// <summary>The work with large items.</summary>
    /// <param name="json">The items as JSON.</param>
    /// <returns>Writing and reading.</returns>
    CodecWork ForLarge(string json);
}
