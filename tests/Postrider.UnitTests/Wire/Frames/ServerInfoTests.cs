using System.Text;
using System.Text.Json;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Wire.Frames;

public sealed class ServerInfoTests
{
    [Fact]
    public void Info_is_written_in_the_protocols_order_without_what_is_not_set()
    {
        var bytes = JsonSerializer.SerializeToUtf8Bytes(
            new ServerInfo { ServerId = "NID", ServerName = "n", Version = "2.15.1", Runtime = "go", Host = "0.0.0.0", Port = 4222, Headers = true, MaxPayload = 1048576, ClientId = 5, ClientIp = "127.0.0.1" },
            WireJsonContext.Default.ServerInfo);

        Assert.Equal(
            """{"server_id":"NID","server_name":"n","version":"2.15.1","proto":1,"go":"go","host":"0.0.0.0","port":4222,"headers":true,"max_payload":1048576,"client_id":5,"client_ip":"127.0.0.1"}""",
            Encoding.UTF8.GetString(bytes));
    }

    [Fact]
    public void Everything_written_is_read_again()
    {
        var info = new ServerInfo
        {
            ServerId = "N",
            ServerName = "s",
            Version = "1",
            Protocol = 1,
            Commit = "c",
            Runtime = "r",
            Host = "h",
            Port = 1,
            Headers = true,
            AuthRequired = true,
            TlsRequired = true,
            TlsVerify = true,
            TlsAvailable = true,
            MaxPayload = 9,
            JetStream = true,
            Ip = "i",
            ClientId = 7,
            ClientIp = "x",
            Nonce = "n",
            Cluster = "k",
            ClusterDynamic = true,
            Domain = "d",
            ConnectUrls = ["a:1", "b:2"],
            WebSocketConnectUrls = ["w:1"],
            LameDuckMode = true,
            ConnectInfo = true,
            RemoteAccount = "$G",
            IsSystemAccount = true,
            ApiLevel = 2,
            Xkey = "X",
        };

        var json = JsonSerializer.Serialize(info, WireJsonContext.Default.ServerInfo);
        var read = JsonSerializer.Deserialize(json, WireJsonContext.Default.ServerInfo)!;

        Assert.Equal("a:1 b:2", string.Join(' ', read.ConnectUrls ?? []));
        Assert.Equal("w:1", string.Join(' ', read.WebSocketConnectUrls ?? []));
        Assert.Equal(info with { ConnectUrls = null, WebSocketConnectUrls = null }, read with { ConnectUrls = null, WebSocketConnectUrls = null });
    }
}
