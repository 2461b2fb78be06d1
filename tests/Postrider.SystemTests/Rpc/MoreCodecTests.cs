using Postrider.Rpc;
using Postrider.Rpc.Newtonsoft;
using Postrider.Rpc.Soap;

namespace Postrider.SystemTests.Rpc;

public sealed class HttpXmlSerializerTests : HttpTests
{
    private protected override RpcCodec Codec => new RpcXmlSerializerCodec();

    private protected override RpcCodec[] More => [Codec];
}

public sealed class Http2XmlSerializerTests : Http2Tests
{
    private protected override RpcCodec Codec => new RpcXmlSerializerCodec();

    private protected override RpcCodec[] More => [Codec];
}

public sealed class WebSocketXmlSerializerTests : WebSocketTests
{
    private protected override RpcCodec Codec => new RpcXmlSerializerCodec();

    private protected override RpcCodec[] More => [Codec];
}

public sealed class TcpXmlSerializerTests : SocketTests
{
    private protected override RpcCodec Codec => new RpcXmlSerializerCodec();
}

public sealed class HttpNewtonsoftTests : HttpTests
{
    private protected override RpcCodec Codec => new RpcNewtonsoftCodec();

    private protected override RpcCodec[] More => [Codec];
}

/// <summary>System.Text.Json at one end, Newtonsoft.Json at the other.</summary>
public sealed class HttpNewtonsoftToJsonTests : HttpTests
{
    private protected override RpcCodec Codec => new RpcNewtonsoftCodec();
}

public sealed class Http2NewtonsoftTests : Http2Tests
{
    private protected override RpcCodec Codec => new RpcJsonCodec(DeskJson.Default);

    private protected override RpcCodec[] More => [new RpcNewtonsoftCodec()];
}

public sealed class WebSocketNewtonsoftTests : WebSocketTests
{
    private protected override RpcCodec Codec => new RpcNewtonsoftCodec();

    private protected override RpcCodec[] More => [Codec];
}

public sealed class TcpNewtonsoftTests : SocketTests
{
    private protected override RpcCodec Codec => new RpcNewtonsoftCodec();
}

public sealed class HttpBytesTests : HttpTests
{
    private protected override RpcCodec Codec => new RpcBytesCodec(new RpcJsonCodec(DeskJson.Default));

    private protected override RpcCodec[] More => [Codec];
}

public sealed class Http2BytesTests : Http2Tests
{
    private protected override RpcCodec Codec => new RpcBytesCodec(new RpcMessagePackCodec(DeskMessages.Default));

    private protected override RpcCodec[] More => [Codec];
}

public sealed class WebSocketBytesTests : WebSocketTests
{
    private protected override RpcCodec Codec => new RpcBytesCodec(new RpcMessagePackCodec(DeskMessages.Default));

    private protected override RpcCodec[] More => [Codec];
}

public sealed class TcpBytesTests : SocketTests
{
    private protected override RpcCodec Codec => new RpcBytesCodec(new RpcMessagePackCodec(DeskMessages.Default));
}
