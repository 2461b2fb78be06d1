using System.Buffers;
using System.Text;

namespace Postrider.Client.Payloads;

/// <summary>Strings as UTF-8.</summary>
internal sealed class Utf8Serializer : IPayloadSerializer<string>
{
    public void Serialize(IBufferWriter<byte> target, string value) => Encoding.UTF8.GetBytes(value, target);

    public string Deserialize(ReadOnlySpan<byte> payload) => Encoding.UTF8.GetString(payload);
}
