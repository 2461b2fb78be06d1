using System.Globalization;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Authentication;

/// <summary>An operator with its accounts and users, made by <c>postrider auth</c> in a folder of its own.</summary>
internal sealed class Authority : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-auth-");

    private Authority()
    {
    }

    /// <summary>Makes an operator with a system account.</summary>
    public static async Task<Authority> CreateAsync(params string[] flags)
    {
        var authority = new Authority();
        await authority.RunAsync(["operator", "add", "shop", .. flags]);
        return authority;
    }

    /// <summary>Runs <c>postrider auth</c> with these words.</summary>
    public Task<string> RunAsync(params string[] words) => ForeignProgram.RunAsync(Tools.Postrider, ["auth", .. words, "--dir", Path.Combine(_folder.FullName, "auth")]);

    /// <summary>The path of a file in the folder.</summary>
    public string FileOf(string name) => Path.Combine(_folder.FullName, name);

    /// <summary>Makes a user and its credentials file.</summary>
    /// <returns>The file.</returns>
    public async Task<string> AddUserAsync(string account, string user, params string[] flags)
    {
        var file = FileOf(user + ".creds");
        await RunAsync(["user", "add", account, user, "--out", file, .. flags]);
        return file;
    }

    /// <summary>Writes a configuration that trusts the operator.</summary>
    public async Task<string> WriteConfigurationAsync(string more = "")
    {
        await RunAsync("resolver-config", "--out", FileOf("resolver.conf"));
        await File.WriteAllTextAsync(FileOf("server.conf"), $"include \"resolver.conf\"\n{more}\n");
        return FileOf("server.conf");
    }

    /// <summary>Signs a user's token as it stands with another end, and writes its credentials file.</summary>
    public void Issue(string account, string user, DateTimeOffset expires, string file)
    {
        using var signer = Key(Claims<AccountClaims>($"accounts/{account}.jwt").Subject);
        var claims = Claims<UserClaims>($"accounts/{account}/{user}.jwt");
        using var written = new CredentialsFile((claims with { Expires = expires }).Encode(signer), Key(claims.Subject));
        written.Write(file);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private NkeyPair Key(string publicKey) => SeedFile.Read(FileOf($"auth/keys/{publicKey}.nk"));

    private T Claims<T>(string file)
        where T : JwtClaims
        => NatsJwt.DecodeAnyTime<T>(File.ReadAllText(FileOf(string.Create(CultureInfo.InvariantCulture, $"auth/{file}"))).Trim());
}
