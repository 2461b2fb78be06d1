using Postrider.Broker.Accounts;
using Postrider.Broker.Trust;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Authenticates clients by their tokens.</summary>
/// <remarks>Signatures are verified and accounts looked up on the pool: the former takes half a millisecond, the latter may wait.</remarks>
internal static class TokenConnect
{
    /// <summary>Checks the token of a CONNECT, and then accepts the client or ends its session.</summary>
    /// <param name="session">The session.</param>
    /// <param name="connect">The CONNECT.</param>
    /// <param name="tokens">The authenticator of tokens.</param>
    /// <param name="authenticator">The current authenticator.</param>
    /// <param name="delay">How long the check waits because attempts from its address failed; zero for not at all.</param>
    /// <param name="batch">The batch of the frame.</param>
    public static void Begin(ClientSession session, ConnectInfo connect, TokenAuthenticator tokens, Authenticator authenticator, TimeSpan delay, SendBatch batch)
    {
        var request = CreateRequest(session, connect, hasSigned: false);
        session.RunOffLoop(() => CheckAsync(session, connect, tokens, request, delay), (found, later) => Accept(session, connect, found, authenticator, later), batch);
    }

    /// <summary>Checks an open session again, and ends it if it is no longer allowed.</summary>
    public static async Task RecheckAsync(ClientSession session, TokenAuthenticator tokens)
    {
        // A session that has not authenticated yet is checked by the new rules.
        if (session.State is not { TokenUser: not null, Connect: { } connect }) return;
        if (await CheckAsync(session, () => CheckAgainAsync(session, connect, tokens, session.State.TokenUser)).ConfigureAwait(false) is { } user) ClaimsReload.Adopt(session, user);
        else SessionReload.Dismiss(session);
    }

    private static async ValueTask<TokenUser?> CheckAsync(ClientSession session, ConnectInfo connect, TokenAuthenticator tokens, UserTokenRequest request, TimeSpan delay)
    {
        await session.Context.Throttle.WaitAsync(session.Address, delay).ConfigureAwait(false);
        return await CheckAsync(session, async () =>
        {
            var user = await tokens.AuthenticateAsync(request, CancellationToken.None, mayDelegate: true).ConfigureAwait(false);
            return user.Grant.IsDelegated ? await CalloutConnect.AskAsync(CalloutConnect.PeerOf(session, connect), tokens, user).ConfigureAwait(false) : user;
        }).ConfigureAwait(false);
    }

    private static UserTokenRequest CreateRequest(ClientSession session, ConnectInfo connect, bool hasSigned)
    {
        return new UserTokenRequest(connect.Jwt, session.Nonce, connect.Signature, session.ConnectionType, session.Address) { HasSigned = hasSigned };
    }

    // A callout is not asked again: its earlier response still has to be valid.
    private static async ValueTask<TokenUser> CheckAgainAsync(ClientSession session, ConnectInfo connect, TokenAuthenticator tokens, TokenUser before)
    {
        if (before.Callout is null) return await tokens.AuthenticateAsync(CreateRequest(session, connect, hasSigned: true), CancellationToken.None).ConfigureAwait(false);
        var user = await tokens.AdmitAsync(before.Grant.User, session.ConnectionType, session.Address, CancellationToken.None).ConfigureAwait(false);
        return user with { Callout = before.Callout, CalloutName = before.CalloutName };
    }

    private static async ValueTask<TokenUser?> CheckAsync(ClientSession session, Func<ValueTask<TokenUser>> check)
    {
        try
        {
            return await check().ConfigureAwait(false);
        }
        catch (AuthCalloutException error)
        {
            SessionLog.CalloutRefused(session.Context.Logger, session.Name, error.Message);
            return null;
        }
        catch (UserTokenException error)
        {
            SessionLog.TokenRefused(session.Context.Logger, session.Name, error.Message);
            return null;
        }
        catch (Exception error)
        {
            // After any error nobody is accepted.
            SessionLog.Fault(session.Context.Logger, session.Name, error);
            return null;
        }
    }

    private static void Accept(ClientSession session, ConnectInfo connect, TokenUser? found, Authenticator authenticator, SendBatch batch)
    {
        session.State.TokenUser = found;
        var user = found?.ToUser();
        if (user is not null && CalloutOf(found!) is { } callout) user = CalloutConnect.Restrict(user, callout);
        ControlFrameHandler.Accept(session, CalloutConnect.ShownConnect(connect, user), user, authenticator, batch);
        if (found is null) return;
        // A change of the account either comes after this and finds the session, or came before and is found here.
        Interlocked.MemoryBarrier();
        var account = found.Account;
        if (account.IsExpired) ClaimsReload.Expire(session);
        else if (!ReferenceEquals(account.Claims, found.Grant.Account)) ClaimsReload.Apply(session, found.Grant.Account, account.Claims);
    }

    /// <summary>The account whose service was asked, or would be asked for other users; null without one.</summary>
    public static Account? CalloutOf(TokenUser user) => user.Callout ?? (user.Account.Claims.Authorization.Users.Count > 0 ? user.Account.Account : null);
}
