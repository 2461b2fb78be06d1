using System.Buffers;
using Newtonsoft.Json;

namespace Postrider.Serialization.Newtonsoft;

/// <summary>The runtime's array pool behind Newtonsoft.Json's interface.</summary>
internal sealed class CharPool : IArrayPool<char>
{
    public static readonly CharPool Instance = new();

    public char[] Rent(int minimumLength) => ArrayPool<char>.Shared.Rent(minimumLength);

    public void Return(char[]? array)
    {
        if (array is not null)
            ArrayPool<char>.Shared.Return(array);
    }
}
