using System.Diagnostics;
using Npgsql;

namespace Postrider.Routing;

/// <summary>Debian's PostgreSQL, whose programs POSTRIDER_POSTGRES names, on a Unix socket in a folder of its own; it writes to the disk as
/// it comes. It refuses to run as root: then it runs as nobody.</summary>
internal sealed class PostgresProcess : IAsyncDisposable
{
    private const string Nobody = "65534";
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(180);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-bench-");
    private readonly string _programs;
    private readonly Process _server;

    private PostgresProcess(string programs)
    {
        _programs = programs;
        if (Environment.IsPrivilegedProcess)
            Run("chown", Nobody, _folder.FullName);
        var data = Path.Join(_folder.FullName, "data");
        using (var initializing = Start(Path.Join(programs, "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"))
        {
            initializing.WaitForExit();
            if (initializing.ExitCode != 0)
                throw new InvalidOperationException($"initdb of {programs} ended with {initializing.ExitCode}; user {Nobody} must be able to read that folder.");
        }

        _server = Start(Path.Join(programs, "postgres"), "-D", data, "-c", "listen_addresses=", "-c", $"unix_socket_directories={_folder.FullName}", "-c", "max_connections=100");
    }

    public string ConnectionString => $"Host={_folder.FullName};Username=postgres;Database=postgres;Timeout=30;Command Timeout=30;Maximum Pool Size=40";

    /// <summary>Starts it; null where there is none.</summary>
    public static async Task<PostgresProcess?> StartAsync()
    {
        if (Environment.GetEnvironmentVariable("POSTRIDER_POSTGRES") is not { Length: > 0 } programs)
            return null;
        var server = new PostgresProcess(programs);
        var began = Stopwatch.GetTimestamp();
        while (!await server.IsUpAsync())
        {
            if (server._server.HasExited || Stopwatch.GetElapsedTime(began) > s_patience)
            {
                await server.DisposeAsync();
                throw new InvalidOperationException($"The PostgreSQL of {programs} does not start.");
            }

            await Task.Delay(200);
        }

        return server;
    }

    public async ValueTask DisposeAsync()
    {
        NpgsqlConnection.ClearAllPools();
        using (var stopping = Start(Path.Join(_programs, "pg_ctl"), "stop", "-D", Path.Join(_folder.FullName, "data"), "-m", "immediate", "-W"))
            await stopping.WaitForExitAsync();
        await _server.WaitForExitAsync();
        _server.Dispose();
        _folder.Delete(recursive: true);
    }

    private async Task<bool> IsUpAsync()
    {
        try
        {
            await using var connection = new NpgsqlConnection(ConnectionString);
            await connection.OpenAsync();
            return true;
        }
        catch (NpgsqlException)
        {
            return false;
        }
    }

    private static void Run(string program, params string[] arguments)
    {
        using var process = Process.Start(program, arguments);
        process.WaitForExit();
    }

    private Process Start(string program, params string[] arguments)
    {
        var start = Environment.IsPrivilegedProcess
            ? new ProcessStartInfo("setpriv", [$"--reuid={Nobody}", $"--regid={Nobody}", "--clear-groups", program, .. arguments])
            : new ProcessStartInfo(program, arguments);
        start.RedirectStandardOutput = start.RedirectStandardError = true;
        start.WorkingDirectory = _folder.FullName;
        // Unpacked packages bring libraries that the machine may not have.
        var root = _programs.Split("/usr/lib/postgresql/")[0];
        if (root.Length > 0 && Directory.Exists(Path.Join(root, "usr", "lib")))
            start.Environment["LD_LIBRARY_PATH"] = string.Join(':', Directory.GetDirectories(Path.Join(root, "usr", "lib"), "*-linux-gnu"));
        start.Environment["HOME"] = _folder.FullName;
        start.Environment["LC_ALL"] = "C";
        var process = Process.Start(start)!;
        process.OutputDataReceived += static (_, _) => { };
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return process;
    }
}
