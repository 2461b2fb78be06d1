using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Xml.Linq;

namespace Postrider.TransportTests.Harness;

/// <summary>moto, which plays SQS, SNS, EventBridge, IAM and STS, started on a free port; it checks the signature and the rights of every
/// request. One for the whole run.</summary>
public sealed class MotoServer : IAsyncLifetime
{
    // The first requests are free: to make an account with a key.
    private static readonly string[] s_account =
    [
        "Action=CreateUser&Version=2010-05-08&UserName=postrider",
        "Action=PutUserPolicy&Version=2010-05-08&UserName=postrider&PolicyName=all&PolicyDocument=" + Uri.EscapeDataString("""{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}"""),
        "Action=CreateAccessKey&Version=2010-05-08&UserName=postrider",
    ];

    private readonly List<string> _output = [];
    private readonly HttpClient _client = new();
    private Process? _server;

    public const string Region = "eu-central-1";

    /// <summary>The unpacked packages: POSTRIDER_MOTO, which ./dev test sets, or where it puts them.</summary>
    private static string Root => Environment.GetEnvironmentVariable("POSTRIDER_MOTO") is { Length: > 0 } named ? named : Checkout.PathOf("artifacts", "debian-sid", "moto");

    public int Port { get; } = FreePort.Find();

    public string AccessKey { get; private set; } = "";

    public string SecretKey { get; private set; } = "";

    public async ValueTask InitializeAsync()
    {
        var loader = Directory.EnumerateFiles(Path.Join(Root, "usr", "lib"), "ld-linux*.so*", SearchOption.AllDirectories).First();
        var start = new ProcessStartInfo(loader, ["--library-path", Path.GetDirectoryName(loader)!, Path.Join(Root, "usr", "bin", "python3"), Path.Join(AppContext.BaseDirectory, "Harness", "start_moto.py"), "-H", "127.0.0.1", "-p", $"{Port}"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var (name, value) in (ReadOnlySpan<(string, string)>)[
            ("PYTHONHOME", Path.Join(Root, "usr")), ("PYTHONPATH", Path.Join(Root, "usr", "lib", "python3", "dist-packages")), ("PYTHONDONTWRITEBYTECODE", "1"), ("PYTHONNOUSERSITE", "1"), ("PYTHONUTF8", "1"),
            ("INITIAL_NO_AUTH_ACTION_COUNT", $"{s_account.Length}"), ("MOTO_ALLOW_NONEXISTENT_REGION", "true")])
            start.Environment[name] = value;
        _server = Process.Start(start)!;
        _server.OutputDataReceived += (_, line) => Note(line.Data);
        _server.ErrorDataReceived += (_, line) => Note(line.Data);
        _server.BeginOutputReadLine();
        _server.BeginErrorReadLine();
        await Eventually.HoldsAsync(IsUpAsync, TimeSpan.FromSeconds(90));
        XElement? key = null;
        foreach (var form in s_account)
            key = await IamAsync(form);
        AccessKey = Value(key!, "AccessKeyId");
        SecretKey = Value(key!, "SecretAccessKey");
    }

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        if (_server is null)
            return;
        _server.Kill(entireProcessTree: true);
        await _server.WaitForExitAsync();
        _server.Dispose();
    }

    private async Task<XElement> IamAsync(string form)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, $"http://127.0.0.1:{Port}/") { Content = new StringContent(form, System.Text.Encoding.UTF8, "application/x-www-form-urlencoded") };
        // Not signed; it says which service is meant.
        request.Headers.TryAddWithoutValidation("Authorization", $"AWS4-HMAC-SHA256 Credential=none/20260101/{Region}/iam/aws4_request, SignedHeaders=host, Signature=none");
        using var answer = await _client.SendAsync(request);
        var text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, text);
        return XElement.Parse(text);
    }

    private static string Value(XElement answer, string name) => answer.Descendants().First(element => element.Name.LocalName == name).Value;

    private async Task<bool> IsUpAsync()
    {
        if (_server!.HasExited)
        {
            lock (_output)
                throw new InvalidOperationException($"moto ended: {string.Join('\n', _output.TakeLast(40))}");
        }

        try
        {
            using var client = new TcpClient();
            await client.ConnectAsync(IPAddress.Loopback, Port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private void Note(string? line)
    {
        lock (_output)
        {
            _output.Add(line ?? "");
            if (_output.Count > 1_000)
                _output.RemoveRange(0, 500);
        }
    }
}
