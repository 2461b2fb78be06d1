using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Postrider.Broker.Accounts;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>The monitoring server's own rule: one user and password if they are configured, else all pages for everyone and the dashboard for this machine.</summary>
/// <remarks>Thread-safe. Addresses with repeated failures are delayed as clients are. A hash of the last valid header is kept, so that a
/// page that refreshes every two seconds does not cost a bcrypt check each time.</remarks>
internal sealed class BasicReadAccess(IBrokerState state) : IReadAccess
{
    // Orchestrators probe without credentials, and the page only reports whether the broker is healthy.
    private const string OpenPage = "/healthz";

    // A client of the broker sends its own credentials there.
    private const string SocketPage = DashboardFiles.Path + "nats";

    private const int MaxHeaderLength = 1024;

    private readonly AuthThrottle _throttle = new(state.Options.AuthThrottle, state.Options.TimeProvider);
    private byte[]? _accepted;

    /// <inheritdoc/>
    public bool IsOpen => state.Options.Monitoring.User is not { Length: > 0 };

    /// <inheritdoc/>
    public async ValueTask<bool> IsAllowedAsync(HttpContext context, string page)
    {
        if (page is OpenPage or SocketPage) return true;
        var response = context.Response;
        if (IsOpen)
        {
            if (!page.StartsWith("/dashboard", StringComparison.Ordinal) || DashboardAccess.IsOfThisMachine(context)) return true;
            await MonitoringPages.TextAsync(
                response,
                StatusCodes.Status403Forbidden,
                "The dashboard is shown only at localhost on the broker's own machine, unless its readers have credentials: set http_user and http_password (MonitoringOptions.User and Password).\n").ConfigureAwait(false);
            return false;
        }

        var given = context.Request.Headers.Authorization.ToString();
        if (given.Length > 0)
        {
            var address = context.Connection.RemoteIpAddress;
            if (!_throttle.TryBegin(address, out var delay))
            {
                await MonitoringPages.TextAsync(response, StatusCodes.Status429TooManyRequests, "There were too many wrong passwords from this address. Wait a minute.\n").ConfigureAwait(false);
                return false;
            }

            await _throttle.WaitAsync(address, delay).ConfigureAwait(false);
            if (IsRight(given)) return true;
            _throttle.Failed(address);
        }

        response.Headers.WWWAuthenticate = "Basic realm=\"Postrider monitoring\", charset=\"UTF-8\"";
        await MonitoringPages.TextAsync(response, StatusCodes.Status401Unauthorized, "The monitoring pages need the user and the password of http_user and http_password.\n").ConfigureAwait(false);
        return false;
    }

    private bool IsRight(string header)
    {
        if (header.Length > MaxHeaderLength) return false;
        var options = state.Options.Monitoring;
        // Includes the configured values: a reload that changes them invalidates the accepted header.
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{options.User}\n{options.Password}\n{header}"));
        if (Volatile.Read(ref _accepted) is { } accepted && CryptographicOperations.FixedTimeEquals(accepted, hash)) return true;
        if (!AuthenticationHeaderValue.TryParse(header, out var value) || !"Basic".Equals(value.Scheme, StringComparison.OrdinalIgnoreCase)) return false;
        var bytes = new byte[MaxHeaderLength];
        if (!Convert.TryFromBase64String(value.Parameter ?? "", bytes, out var length)) return false;
        var colon = bytes.AsSpan(0, length).IndexOf((byte)':');
        if (colon < 0) return false;
        // Both are always compared, so that the time reveals nothing about the name.
        var isUser = new StoredCredential(options.User!).Matches(bytes.AsSpan(0, colon));
        var isPassword = new StoredCredential(options.Password!).Matches(bytes.AsSpan(colon + 1, length - colon - 1));
        if (!isUser || !isPassword) return false;
        Volatile.Write(ref _accepted, hash);
        return true;
    }
}
