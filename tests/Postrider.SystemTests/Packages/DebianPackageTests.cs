using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text;
using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Packages;

/// <summary>The Debian package: made, installed into a folder, started by its unit's line, stopped by its unit's signal, removed and purged.</summary>
[SupportedOSPlatform("linux")]
public sealed class DebianPackageTests(DebianPackage package) : IClassFixture<DebianPackage>, IDisposable
{
    private const string Configuration = "/etc/postrider/postrider.conf";
    private const string Unit = "/usr/lib/systemd/system/postrider.service";

    private readonly string _folder = ServerProcess.NewFolder();

    private string Root => Path.Join(_folder, "root");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Package_is_installed_started_stopped_removed_and_purged()
    {
        await InstallAsync(package.Path);
        await File.WriteAllTextAsync(Root + Configuration, (await File.ReadAllTextAsync(Root + Configuration))
            .Replace("127.0.0.1:4222", "127.0.0.1:-1", StringComparison.Ordinal).Replace("127.0.0.1:8222", "127.0.0.1:-1", StringComparison.Ordinal).Replace("\"/var", $"\"{Root}/var", StringComparison.Ordinal));

        await ServeAsync();
        Assert.True(Directory.Exists(Root + "/var/lib/postrider/jetstream"));
        await DpkgAsync("--remove", "postrider");
        Assert.False(File.Exists(Root + "/usr/bin/postrider"));
        Assert.True(File.Exists(Root + Configuration));
        Assert.True(Directory.Exists(Root + "/var/lib/postrider/jetstream"));
        await DpkgAsync("--purge", "postrider");

        Assert.False(File.Exists(Root + Configuration));
        Assert.False(Directory.Exists(Root + "/var/lib/postrider"));
    }

    [Fact]
    public async Task Unit_gives_the_server_no_more_than_it_needs()
    {
        await InstallAsync(package.Path);

        var lines = await File.ReadAllLinesAsync(Root + Unit);

        Assert.All(
            (string[])["User=postrider", "NoNewPrivileges=true", "ProtectSystem=strict", "ProtectHome=true", "PrivateTmp=true", "CapabilityBoundingSet=", "SystemCallFilter=@system-service", "LimitCORE=0", "Type=notify-reload"],
            line => Assert.Contains(line, lines));
        Assert.Equal(UnixFileMode.None, File.GetUnixFileMode(Root + Configuration) & (UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.GroupWrite));
    }

    private async Task ServeAsync()
    {
        var unit = await File.ReadAllLinesAsync(Root + Unit);
        var words = ValueOf(unit, "ExecStart").Split(' ');
        var notify = Path.Join(_folder, "notify");
        using var notices = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        notices.Bind(new UnixDomainSocketEndPoint(notify));
        var start = new System.Diagnostics.ProcessStartInfo(Root + words[0], words[1..].Select(word => word.StartsWith('/') ? Root + word : word)) { RedirectStandardError = true };
        start.Environment["NOTIFY_SOCKET"] = notify;
        using var server = System.Diagnostics.Process.Start(start)!;
        var errors = server.StandardError.ReadToEndAsync();
        using var patience = new CancellationTokenSource(ServerProcess.Patience);

        Assert.Equal("READY=1", await ReadAsync(notices, patience.Token));
        var signal = ValueOf(unit, "KillSignal")["SIG".Length..];
        await RunAsync("kill", "-" + signal, server.Id.ToString(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal("STOPPING=1", await ReadAsync(notices, patience.Token));
        await server.WaitForExitAsync(patience.Token);

        Assert.True(server.ExitCode == 0, await errors);
    }

    private async Task InstallAsync(string file)
    {
        Directory.CreateDirectory(Path.Join(Root, "var/lib/dpkg/info"));
        Directory.CreateDirectory(Path.Join(Root, "var/lib/dpkg/updates"));
        await File.WriteAllTextAsync(Path.Join(Root, "var/lib/dpkg/status"), "");
        await DpkgAsync("--install", file);
    }

    private Task DpkgAsync(string action, string what)
        => RunAsync("dpkg", $"--root={Root}", "--log=/dev/null", "--force-not-root", "--force-depends", "--force-script-chrootless", "--force-bad-path", action, what);

    private Task RunAsync(string program, params string[] arguments) => DebianPackage.RunAsync(_folder, program, arguments);

    private static string ValueOf(string[] unit, string key) => unit.Single(line => line.StartsWith(key + "=", StringComparison.Ordinal))[(key.Length + 1)..];

    private static async Task<string> ReadAsync(Socket socket, CancellationToken ct)
    {
        var buffer = new byte[4096];
        return Encoding.UTF8.GetString(buffer, 0, await socket.ReceiveAsync(buffer.AsMemory(), ct));
    }
}
